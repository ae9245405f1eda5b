def may_enter(password, check):
    if password == "":
        return False
    return check(password)
