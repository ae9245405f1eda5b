import tarfile


def unpack(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder)
