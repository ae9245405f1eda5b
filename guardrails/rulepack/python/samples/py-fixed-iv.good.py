import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def cipher(key):
    vector = os.urandom(16)
    return vector, Cipher(algorithms.AES(key), modes.CBC(vector))
