from flask import Flask, request, redirect

app = Flask(__name__)


@app.route("/thing")
def thing():
    return redirect(request.args["next"])
