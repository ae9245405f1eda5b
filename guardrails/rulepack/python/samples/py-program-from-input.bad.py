import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    subprocess.run([request.form["tool"], "--version"], check=True)
    return "ok"
