import tempfile


def draft():
    return open(tempfile.mktemp(), "w")
