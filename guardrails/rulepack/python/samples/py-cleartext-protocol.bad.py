import ftplib


def connect(host):
    return ftplib.FTP(host)
