"""The origin for gunicorn."""

import hashlib

PIECE = 65_536


def application(environ, start):
    path = environ["RAW_URI"].removeprefix("/gunicorn")
    body = environ["wsgi.input"]
    if path == "/digest":
        digest = hashlib.sha256()
        while piece := body.read(PIECE):
            digest.update(piece)
        content = digest.hexdigest().encode()
    elif path == "/echo":
        content = body.read()
    elif path == "/pieces":
        start("200 OK", [("Content-Type", "application/x-ndjson")])
        return (f'{{"line":{n}}}\n'.encode() for n in range(1, 6))
    elif path == "/none":
        start("204 No Content", [])
        return []
    elif path.startswith("/bytes/"):
        count = int(path.removeprefix("/bytes/"))
        content = (bytes(range(251)) * (count // 251 + 1))[:count]
    else:
        content = b"hello\n" if path == "/hello" else path.encode()
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(content)))])
    return [content]
