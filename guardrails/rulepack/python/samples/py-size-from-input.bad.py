from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    count = int(request.args["count"])
    return str(sum(n * n for n in range(count)))
