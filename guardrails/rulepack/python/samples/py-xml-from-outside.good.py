from defusedxml import ElementTree

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    tree = ElementTree.fromstring(request.data)
    return tree.tag
