import tempfile


def draft():
    return tempfile.NamedTemporaryFile("w")
