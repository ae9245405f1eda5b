import pickle

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    return pickle.loads(request.get_data())
