import ssl

CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLSv1)
