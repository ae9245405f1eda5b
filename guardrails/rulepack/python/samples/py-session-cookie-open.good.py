def remember(answer, value):
    answer.set_cookie("session_id", value, secure=True, httponly=True)
    answer.set_cookie("theme", "dark")
