from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    return str(eval(request.args["formula"]))
