import hashlib


def store(password, salt, content):
    etag = hashlib.sha256(content).hexdigest()
    return etag, hashlib.scrypt(password.encode(), salt=salt, n=16384, r=8, p=1)
