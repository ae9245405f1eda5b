from .store import db

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    name = request.args.get("name")
    query = "SELECT id FROM users WHERE name = '%s'" % name
    return str(db.cursor().execute(query).fetchall())
