import os
import shlex
import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    host = request.args["host"]
    subprocess.run(["ping", "-c", "1", "--", host], check=False)
    os.system("ping -c 1 " + shlex.quote(host))
    return "ok"
