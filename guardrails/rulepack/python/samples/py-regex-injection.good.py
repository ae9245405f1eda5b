import re

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    return str(bool(re.search(re.escape(request.args["word"]), "some text")))
