import jwt

KEY = "not so very secret"


def token(user):
    return jwt.encode({"sub": user}, KEY, algorithm="HS256")
