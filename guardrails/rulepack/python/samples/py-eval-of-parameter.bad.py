def apply(rule, value):
    return eval(rule, {"value": value})
