from flask import Flask, request, make_response

app = Flask(__name__)


@app.route("/thing")
def thing():
    answer = make_response("ok")
    answer.headers["X-Page"] = str(int(request.args["page"]))
    return answer
