import json

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    return str(json.loads(request.get_data())["name"])
