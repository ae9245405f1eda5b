import os
import zipfile


def unpack(path, folder):
    archive = zipfile.ZipFile(path)
    for name in archive.namelist():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(archive.read(name))
