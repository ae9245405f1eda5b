from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def cipher(key):
    vector = b"0123456789abcdef"
    return Cipher(algorithms.AES(key), modes.CBC(vector))
