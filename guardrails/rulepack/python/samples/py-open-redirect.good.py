from flask import Flask, request, redirect, url_for

app = Flask(__name__)


@app.route("/thing")
def thing():
    if request.args.get("next") == "home":
        return redirect(url_for("home"))
    return redirect("/")
