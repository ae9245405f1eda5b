from lxml import etree

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    name = request.args["name"]
    tree = etree.parse("users.xml")
    return str(tree.xpath("//user[@name='" + name + "']"))
