import requests

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    query = {"q": request.args["q"]}
    return requests.get("https://search.example.com/", params=query, timeout=5).text
