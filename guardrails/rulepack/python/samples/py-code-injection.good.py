import ast

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    return str(ast.literal_eval(request.args["value"]))
