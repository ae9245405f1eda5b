import ldap

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    user = request.args["user"]
    connection = ldap.initialize("ldap://127.0.0.1")
    return str(connection.search_s("dc=example", ldap.SCOPE_SUBTREE, f"(uid={user})"))
