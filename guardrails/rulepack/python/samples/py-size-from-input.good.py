from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    count = min(int(request.args["count"]), 100)
    return str(sum(n * n for n in range(count)))
