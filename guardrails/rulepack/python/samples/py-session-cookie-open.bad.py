def remember(answer, value):
    answer.set_cookie("session_id", value)
