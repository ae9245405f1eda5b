import logging

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    try:
        return str(work(request.args["n"]))
    except ValueError:
        logging.exception("work failed")
        return "That did not work.", 500
