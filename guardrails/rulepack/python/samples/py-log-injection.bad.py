import logging

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    logging.info("looked for " + request.args["q"])
    return "ok"
