import ftplib


def connect(host):
    return ftplib.FTP_TLS(host)
