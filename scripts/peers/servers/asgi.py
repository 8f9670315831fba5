"""The origin for uvicorn."""

import hashlib


async def application(scope, receive, send):
    if scope["type"] != "http":
        return
    path = scope["raw_path"].decode().removeprefix("/uvicorn")
    query = scope["query_string"].decode()
    content, more = [], True
    while more:
        message = await receive()
        content.append(message.get("body", b""))
        more = message.get("more_body", False)
    content = b"".join(content)
    if path == "/digest":
        response = hashlib.sha256(content).hexdigest().encode()
    elif path == "/echo":
        response = content
    elif path.startswith("/bytes/"):
        count = int(path.removeprefix("/bytes/"))
        response = (bytes(range(251)) * (count // 251 + 1))[:count]
    elif path == "/pieces":
        response = None
    else:
        response = b"hello\n" if path == "/hello" else b"" if path == "/none" else f"{path}?{query}".rstrip("?").encode()
    await send({"type": "http.response.start", "status": 204 if path == "/none" else 200,
                "headers": [(b"content-length", b"%d" % len(response))] if response else []})
    if response is None:
        for n in range(1, 6):
            await send({"type": "http.response.body", "body": b'{"line":%d}\n' % n, "more_body": True})
    await send({"type": "http.response.body", "body": response or b""})
