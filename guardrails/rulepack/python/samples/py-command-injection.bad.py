import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    host = request.args["host"]
    subprocess.run(f"ping -c 1 {host}", shell=True, check=False)
    return "ok"
