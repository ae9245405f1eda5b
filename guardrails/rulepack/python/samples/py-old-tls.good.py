import ssl

CONTEXT = ssl.create_default_context()
