from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    with open("/srv/files/" + request.args["name"]) as file:
        return file.read()
