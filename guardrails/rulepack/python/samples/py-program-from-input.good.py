import subprocess

TOOLS = ("a", "b")

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    tool = TOOLS[request.form["tool"] == "new"]
    subprocess.run(["ls", "--", request.form["folder"]], check=True)
    return str(tool)
