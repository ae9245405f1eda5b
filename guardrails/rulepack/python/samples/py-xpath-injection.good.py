from lxml import etree

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    tree = etree.parse("users.xml")
    return str(tree.xpath("//user[@name=$name]", name=request.args["name"]))
