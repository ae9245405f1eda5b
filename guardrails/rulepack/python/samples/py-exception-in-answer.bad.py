import traceback

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    try:
        return str(work(request.args["n"]))
    except ValueError:
        return traceback.format_exc(), 500
