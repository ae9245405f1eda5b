def may_enter(password):
    return password == "open sesame"
