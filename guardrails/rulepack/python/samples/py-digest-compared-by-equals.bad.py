import hashlib
import hmac


def is_ours(key, body, signature):
    wanted = hmac.new(key, body, hashlib.sha256).hexdigest()
    return wanted == signature
