from werkzeug.utils import secure_filename

from flask import Flask, request

app = Flask(__name__)


@app.route("/thing")
def thing():
    name = secure_filename(request.args["name"])
    with open("/srv/files/" + name) as file:
        return file.read()
