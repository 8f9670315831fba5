"""What every client is asked to do, and in which ways it reaches the gateway: one table for all of them."""

from wire import Ask, digest

MIB = 1024 * 1024


class Wrong(Exception):
    """What a client saw instead of what was expected."""


class Reach:
    """One way from a client to the origin."""

    def __init__(self, name, base, version="", proxy="", tokens=None):
        self.name = name
        self.base = base
        self.version = version
        self.proxy = proxy
        self.tokens = tokens  # for each request one, or none needed
        self.client = None

    def ask(self, method, path, **more):
        return self.ask_all([self.request(method, path, **more)])[0]

    def request(self, method, path, token=True, fields=(), **more):
        carried = f'PrivateToken token="{self.tokens.pop()}"' if self.tokens is not None and token else ""
        proxy_fields = ()
        if carried and self.proxy:
            proxy_fields = (f"Proxy-Authorization: {carried}",)
        elif carried:
            fields = (*fields, f"Authorization: {carried}")
        return Ask(method, self.base + path, fields, version=self.version, proxy=self.proxy, proxy_fields=proxy_fields, **more)

    def ask_all(self, asks):
        responses = self.client.ask_all(asks)
        for response in responses:
            if response.version and self.version and response.version != self.version:
                raise Wrong(f"HTTP version {response.version} (expected: {self.version})")
        return responses


def check(response, status=200, **expected):
    if response.error:
        raise Wrong(response.error)
    if response.status != status:
        raise Wrong(f"status {response.status} (expected: {status}): {response.text[:120]}")
    for name, value in expected.items():
        if getattr(response, name) != value:
            raise Wrong(f"{name} {getattr(response, name)!r} (expected: {value!r})")
    return response


def get(reach):
    check(reach.ask("GET", "/hello"), text="hello\n")


def head(reach):
    response = check(reach.ask("HEAD", "/hello"), length=0)
    if response.all("content-length") not in (["6"], []):  # some clients hide it
        raise Wrong(f"content-length {response.all('content-length')} (expected: 6)")


def keep_alive(reach):
    for response in reach.ask_all([reach.request("GET", "/bytes/1000") for _ in range(10)]):
        check(response, sha256=digest(1000))


def none(reach):
    """204, then an ordinary response on the same connection."""
    first, second = reach.ask_all([reach.request("GET", "/none"), reach.request("GET", "/hello")])
    check(first, 204, length=0)
    check(second, text="hello\n")


def none_with_length(reach):
    """204 with Content-Length: 0, as many servers send it."""
    first, second = reach.ask_all([reach.request("GET", "/none-with-length"), reach.request("GET", "/hello")])
    check(first, 204, length=0)
    check(second, text="hello\n")


def post(reach):
    check(reach.ask("POST", "/echo", body=1000), sha256=digest(1000))


def post_empty(reach):
    check(reach.ask("POST", "/echo", body=0), length=0)


def chunked(reach):
    check(reach.ask("POST", "/echo", body=100_000, framing="chunked"), sha256=digest(100_000))


def expect(reach):
    check(reach.ask("PUT", "/digest", body=2 * MIB, expect=True), text=digest(2 * MIB))


def upload(reach):
    check(reach.ask("PUT", "/digest", body=8 * MIB), text=digest(8 * MIB))


def download(reach):
    check(reach.ask("GET", f"/bytes/{8 * MIB}"), sha256=digest(8 * MIB))


def pieces(reach):
    """A response in pieces over 250 ms."""
    check(reach.ask("GET", "/pieces"), text="".join(f'{{"line":{n}}}\n' for n in range(1, 6)))


def hints(reach):
    """103 before the response."""
    check(reach.ask("GET", "/hints"), text="hello\n")


def redirect(reach):
    check(reach.ask("GET", "/redirect", follow=True), text="hello\n")


def cookies(reach):
    response = check(reach.ask("GET", "/cookies", fields=("Cookie: a=1; b=2",)), text="a=1; b=2")
    if len(response.all("set-cookie")) != 2 and response.all("set-cookie") != ["first=1; Path=/, second=2; Path=/"]:
        raise Wrong(f"set-cookie {response.all('set-cookie')} (expected: two)")


def path(reach):
    """Empty segments and escapes come as they were sent."""
    for target in ("/dir//file", "/render/https://site.example/x%20y", "/a%2Fb", "/q?a=b%5Cc&d"):
        check(reach.ask("GET", target), text=target)


def early_refusal(reach):
    """The gateway's 413 while the client uploads 8 MiB, by the length that the client gives and by what it sends."""
    base, reach.base = reach.base, reach.base + "/small"
    try:
        check(reach.ask("POST", "/echo", body=8 * MIB), 413)
        check(reach.ask("POST", "/echo", body=8 * MIB, framing="chunked"), 413)
    finally:
        reach.base = base


def early_response(reach):
    """The origin's 413 while the client uploads 4 MiB."""
    check(reach.ask("POST", "/early", body=4 * MIB), 413)


CHALLENGED = ("407", "Proxy Authentication Required", "Failed to authenticate with proxy")


def challenge(reach, method="GET", path="/hello", **more):
    """Without a token: 401 or 407 with a challenge."""
    status, name = (407, "proxy-authenticate") if reach.proxy else (401, "www-authenticate")
    response = reach.ask(method, path, token=False, **more)
    if reach.proxy and response.error:  # the response to CONNECT, which many clients only report in words
        if not any(words in response.error for words in CHALLENGED):
            raise Wrong(f"{response.error} (expected: {status})")
    elif not any(value.startswith("PrivateToken ") for value in check(response, status).all(name)):
        raise Wrong(f"{name} {response.all(name)} (expected: PrivateToken)")


def challenge_post(reach):
    """The same while the client uploads 4 MiB."""
    challenge(reach, "POST", "/echo", body=4 * MIB)


ORDINARY = (get, head, keep_alive, none, none_with_length, post, post_empty, chunked, expect, upload, download, pieces, hints, redirect, cookies, path,
            early_response)
SCENARIOS = (challenge, challenge_post) + ORDINARY + (early_refusal,)  # in this order: a tunnel that is open already is not challenged

WAYS = {
    "http": ORDINARY + (early_refusal,),
    "h2c": ORDINARY + (early_refusal,),  # by prior knowledge
    "h2c-upgrade": (get, head, keep_alive, none, post, expect, upload, download),  # offered by Upgrade, which the gateway ignores
    "tls": ORDINARY + (early_refusal,),  # HTTP/1.1
    "tls-h2": ORDINARY + (early_refusal,),  # HTTP/2 by ALPN
    "h2-site": (get, post, chunked, upload, download, none, none_with_length, pieces),  # over TLS, to an upstream that speaks HTTP/2
    "token": (challenge, challenge_post, get, post, upload, keep_alive),
    "proxy-http": (get, head, keep_alive, none, post, chunked, upload, download, path),  # absolute-form
    "proxy-tls": (get, keep_alive, post, upload, download),  # CONNECT
    "proxy-token": (challenge, challenge_post, get, keep_alive, upload),  # CONNECT, with a token for each tunnel
    "proxy-challenge": (challenge,),  # the same for clients that cannot carry a token there
}


def label(scenario):
    return scenario.__name__.replace("_", "-")


def reaches(ports, tokens, proxy_tokens):
    """The ways by their names."""
    plain, tls = f"http://127.0.0.1:{ports['plain']}", f"https://localhost:{ports['tls']}"
    out, out_token = f"http://127.0.0.1:{ports['out']}", f"http://127.0.0.1:{ports['out-token']}"
    origin, origin_tls = f"http://127.0.0.1:{ports['http']}", f"https://localhost:{ports['origin-tls']}"
    return {reach.name: reach for reach in (
        Reach("http", plain, "1"),
        Reach("h2c", plain, "2"),
        Reach("h2c-upgrade", plain),
        Reach("tls", tls, "1"),
        Reach("tls-h2", tls, "2"),
        Reach("h2-site", tls + "/h2"),
        Reach("token", tls + "/token", tokens=tokens),
        Reach("proxy-http", origin, "1", out),
        Reach("proxy-tls", origin_tls, proxy=out),
        Reach("proxy-token", origin_tls, proxy=out_token, tokens=proxy_tokens),
        Reach("proxy-challenge", origin_tls, proxy=out_token, tokens=[]),
    )}
