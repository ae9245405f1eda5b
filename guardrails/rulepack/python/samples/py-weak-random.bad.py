import random


def reset_link(user):
    reset_token = "".join(random.choice("abcdef0123456789") for _ in range(32))
    return f"/reset/{user}/{reset_token}"
