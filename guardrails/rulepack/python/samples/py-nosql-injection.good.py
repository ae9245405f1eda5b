from pymongo import MongoClient

users = MongoClient().shop.users

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    user = users.find_one({"name": str(request.get_json()["name"])})
    return str(user is not None)
