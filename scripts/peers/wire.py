"""The words between the scenarios and a client program: lines `name value` on its standard input and output, an empty line ends each message.

A request has `method`, `url` and any of `field Name: value`, `body BYTES`, `framing length|chunked`, `expect 100-continue`, `follow yes`,
`version 1|2`, `proxy http://HOST:PORT`, `proxy-field Name: value`. Byte i of a body is i modulo 251.
A response has `status`, `field Name: value`, `length` and `sha256` of the body, `text` with the first 2,048 bytes of it in hexadecimal digits,
`version` where the client tells it; or only `error` with what the client reports.
"""

import hashlib
import queue
import subprocess
import threading
from dataclasses import dataclass, field

PATIENCE = 40  # seconds until a client must have a response


@dataclass
class Ask:
    method: str
    url: str
    fields: tuple = ()
    body: int = -1
    framing: str = "length"
    expect: bool = False
    follow: bool = False
    version: str = ""
    proxy: str = ""
    proxy_fields: tuple = ()

    def lines(self):
        yield f"method {self.method}"
        yield f"url {self.url}"
        yield from (f"field {one}" for one in self.fields)
        if self.body >= 0:
            yield f"body {self.body}"
            yield f"framing {self.framing}"
        if self.expect:
            yield "expect 100-continue"
        if self.follow:
            yield "follow yes"
        if self.version:
            yield f"version {self.version}"
        if self.proxy:
            yield f"proxy {self.proxy}"
            yield from (f"proxy-field {one}" for one in self.proxy_fields)


@dataclass
class Response:
    status: int = 0
    version: str = ""
    fields: list = field(default_factory=list)
    length: int = 0
    sha256: str = ""
    text: str = ""
    error: str = ""

    def all(self, name):
        """The values of a field, by its name in any case."""
        return [value for other, value in self.fields if other.lower() == name.lower()]

    @staticmethod
    def of(lines):
        response = Response()
        for line in lines:
            name, _, value = line.partition(" ")
            if name == "field":
                response.fields.append(tuple(part.strip() for part in value.split(":", 1)))
            elif name == "text":
                response.text = bytes.fromhex(value).decode(errors="replace")
            elif name in ("status", "length"):
                setattr(response, name, int(value))
            elif name in ("version", "sha256", "error"):
                setattr(response, name, value)
        return response


def content(count):
    """The bytes of a body."""
    return (bytes(range(251)) * (count // 251 + 1))[:count]


def digest(count):
    return hashlib.sha256(content(count)).hexdigest()


class Program:
    """A client program that is asked by its standard input."""

    def __init__(self, command, log, **options):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=log.open("w"), text=True, **options)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def ask_all(self, asks):
        return [self.ask(ask) for ask in asks]

    def ask(self, ask):
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in ask.lines()) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return Response(error="the client program has ended")
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                self.close()
                return Response(error=f"no response within {PATIENCE} s")
            if line is None:
                self.lines.put(None)
                return Response(error="the client program has ended")
            if line == "":
                return Response.of(lines)
            lines.append(line)

    def close(self):
        self.process.kill()
        self.process.wait()
