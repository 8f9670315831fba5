"""Clients of Python as a program that scripts/clients asks by lines on its standard input; scripts/peers/wire.py describes the lines.

The arguments name the client and the file of a certificate to trust.
"""

import asyncio
import hashlib
import http.client
import ssl
import sys
from urllib.parse import urlsplit

PIECE = 65_536
clients = {}  # what keeps connections, by what requests must have in common


class Ask:
    def __init__(self, lines):
        self.words, self.fields, self.proxy_fields = {}, [], []
        for line in lines:
            name, _, value = line.partition(" ")
            if name in ("field", "proxy-field"):
                pair = tuple(value.split(": ", 1))
                (self.fields if name == "field" else self.proxy_fields).append(pair)
            else:
                self.words[name] = value
        self.method, self.url = self.words["method"], self.words["url"]
        self.proxy, self.follow = self.words.get("proxy"), "follow" in self.words
        if "expect" in self.words:
            self.fields.append(("Expect", self.words["expect"]))

    def content(self):
        if "body" not in self.words:
            return None
        count = int(self.words["body"])
        return (bytes(range(251)) * (count // 251 + 1))[:count]

    def body(self):
        """Bytes, or a generator where the client is to send chunks."""
        content = self.content()
        if content is None or self.words["framing"] == "length":
            return content
        return (content[at:at + PIECE] for at in range(0, len(content), PIECE))

    def key(self, *more):
        parts = urlsplit(self.url)
        return (parts.scheme, parts.netloc, self.proxy, *more)


def kept(key, make):
    if key not in clients:
        clients[key] = make()
    return clients[key]


def told(status, fields, content, version=None):
    print(f"status {status}")
    if version:
        print(f"version {version}")
    for name, value in fields:
        print(f"field {name}: {value}")
    print(f"length {len(content)}\nsha256 {hashlib.sha256(content).hexdigest()}\ntext {content[:2048].hex()}\n", flush=True)


def http_client(trust):
    context = ssl.create_default_context(cafile=trust)

    def connect(ask):
        parts, proxy = urlsplit(ask.url), urlsplit(ask.proxy or "")
        if parts.scheme == "http":
            return http.client.HTTPConnection(proxy.hostname or parts.hostname, proxy.port or parts.port, timeout=30)
        made = http.client.HTTPSConnection(proxy.hostname or parts.hostname, proxy.port or parts.port, timeout=30, context=context)
        if ask.proxy:
            made.set_tunnel(parts.hostname, parts.port, dict(ask.proxy_fields))
        return made

    def send(ask):
        connection = kept(ask.key(bool(ask.proxy_fields)), lambda: connect(ask))
        parts = urlsplit(ask.url)
        target = ask.url if ask.proxy and parts.scheme == "http" else parts.path + (f"?{parts.query}" if parts.query else "")
        try:
            try:
                connection.request(ask.method, target, ask.body(), dict(ask.fields), encode_chunked=ask.words.get("framing") == "chunked")
            except (BrokenPipeError, ConnectionResetError):
                if connection.sock is None:
                    raise
            response = connection.getresponse()
            told(response.status, response.getheaders(), response.read())
        except Exception:
            connection.close()
            raise

    return send


def requests_client(trust):
    import requests

    session = kept("session", requests.Session)
    session.trust_env = False

    def send(ask):
        proxies = {"http": ask.proxy, "https": ask.proxy} if ask.proxy else {}
        response = session.request(ask.method, ask.url, data=ask.body(), headers=dict(ask.fields), proxies=proxies, verify=trust,
                                 allow_redirects=ask.follow, timeout=30)
        fields = [pair for pair in response.raw.headers.items()]
        told(response.status_code, fields, response.content)

    return send


def httpx_client(trust):
    import httpx

    context = ssl.create_default_context(cafile=trust)

    def make(ask):
        proxy = httpx.Proxy(ask.proxy, headers=ask.proxy_fields) if ask.proxy else None
        version = ask.words.get("version")
        return httpx.Client(http1=version != "2", http2=version != "1", verify=context, proxy=proxy, trust_env=False, timeout=30)

    def send(ask):
        client = kept(ask.key(ask.words.get("version"), bool(ask.proxy_fields)), lambda: make(ask))
        response = client.request(ask.method, ask.url, content=ask.body(), headers=ask.fields, follow_redirects=ask.follow)
        told(response.status_code, response.headers.multi_items(), response.content, response.http_version.removeprefix("HTTP/")[0])

    return send


def aiohttp_client(trust):
    import aiohttp
    from yarl import URL

    context = ssl.create_default_context(cafile=trust)
    loop = asyncio.new_event_loop()

    async def pieces(ask):
        for piece in ask.body():
            yield piece

    async def exchange(ask):
        if "session" not in clients:
            clients["session"] = aiohttp.ClientSession()
        chunked = ask.words.get("framing") == "chunked"
        fields = [pair for pair in ask.fields if pair[0] != "Expect"]
        async with clients["session"].request(
                ask.method, URL(ask.url, encoded=True), data=pieces(ask) if chunked else ask.content(), headers=fields, ssl=context, proxy=ask.proxy,
                proxy_headers=dict(ask.proxy_fields), allow_redirects=ask.follow, expect100="expect" in ask.words,
                timeout=aiohttp.ClientTimeout(30)) as response:
            return response.status, list(response.headers.items()), await response.read()

    return lambda ask: told(*loop.run_until_complete(exchange(ask)))


def main():
    send = {"http.client": http_client, "requests": requests_client, "httpx": httpx_client, "aiohttp": aiohttp_client}[sys.argv[1]](sys.argv[2])
    lines = []
    for line in sys.stdin:
        if line != "\n":
            lines.append(line.rstrip("\n"))
            continue
        try:
            send(Ask(lines))
        except Exception as error:  # whatever it is, the scenario tells it
            print(f"error {type(error).__name__} {' '.join(str(error).split())}\n", flush=True)
        lines = []


if __name__ == "__main__":
    main()
