from pymongo import MongoClient

users = MongoClient().shop.users

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    user = users.find_one(request.get_json())
    return str(user is not None)
