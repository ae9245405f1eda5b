import os

import jwt


def token(user):
    return jwt.encode({"sub": user}, os.environ["SIGNING_KEY"], algorithm="HS256")
