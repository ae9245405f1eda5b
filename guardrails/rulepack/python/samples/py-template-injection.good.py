from flask import Flask, request, render_template_string

app = Flask(__name__)


@app.route("/thing")
def thing():
    return render_template_string("<h1>{{ title }}</h1>", title=request.args["title"])
