import random
import secrets


def reset_link(user):
    reset_token = secrets.token_urlsafe(32)
    colour = random.choice(("red", "blue"))
    return f"/reset/{user}/{reset_token}?c={colour}"
