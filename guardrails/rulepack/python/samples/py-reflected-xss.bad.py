from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    name = request.args.get("name", "")
    return f"<p>Hello {name}</p>"
