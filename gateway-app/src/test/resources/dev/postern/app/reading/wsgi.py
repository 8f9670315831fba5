"""A WSGI application with two protected resources: /api with all below it, and the host api.example.

wsgi.py PORT once     decides on PATH_INFO, which the server has decoded, as frameworks do
wsgi.py PORT twice    decodes it again until nothing changes, drops parameters, and resolves dots
"""

import posixpath
import re
import sys
from socketserver import ThreadingMixIn
from urllib.parse import unquote
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 128


class Handler(WSGIRequestHandler):
    def log_message(self, format, *arguments):
        pass


def path_of(environ):
    path = environ["PATH_INFO"]
    if sys.argv[2] == "twice":
        while path != unquote(path, "latin-1"):
            path = unquote(path, "latin-1")
        path = posixpath.normpath("/" + re.sub(";[^/]*", "", path).replace("\\", "/").lstrip("/"))
    return path


def application(environ, start_response):
    fields = [("Content-Type", "text/plain"), ("Content-Length", "0")]
    path = path_of(environ)
    if environ.get("HTTP_HOST", "").lower().partition(":")[0].rstrip(".") == "api.example":
        fields.append(("X-Protected", "host"))
    elif path == "/api" or path.startswith("/api/"):
        fields.append(("X-Protected", "path"))
    start_response("200 OK", fields)
    return [b""]


make_server("127.0.0.1", int(sys.argv[1]), application, Server, Handler).serve_forever()
