import hashlib
import os


def store(value):
    salt = os.urandom(16)
    return salt, hashlib.pbkdf2_hmac("sha256", value, salt, 600_000)
