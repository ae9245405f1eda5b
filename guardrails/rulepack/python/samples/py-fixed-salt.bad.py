import hashlib

SALT = b"pepper"


def store(value):
    return hashlib.pbkdf2_hmac("sha256", value, SALT, 600_000)
