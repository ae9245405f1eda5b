import os
import zipfile


def unpack(path, folder):
    archive = zipfile.ZipFile(path)
    for name in archive.namelist():
        with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
            file.write(archive.read(name))
