RULES = {"double": lambda value: value * 2}


def apply(rule, value):
    return RULES[rule](value)
