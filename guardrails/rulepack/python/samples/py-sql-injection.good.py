from .store import db

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    name = request.args.get("name")
    number = int(request.args["n"])
    db.cursor().execute("SELECT id FROM users WHERE name = ?", (name,))
    query = "SELECT id FROM users LIMIT %d" % number
    return str(db.cursor().execute(query).fetchall())
