"""curl, asked as a client program: each request is a process of its own, requests in a row are one."""

import hashlib
import subprocess
from pathlib import Path

from wire import Response, PATIENCE, content


class Curl:
    def __init__(self, authority, folder):
        self.authority = authority
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def options(self, ask, number):
        yield from ("--silent", "--show-error", "--globoff", "--path-as-is", "--noproxy", "" if ask.proxy else "*", "--cacert", str(self.authority))
        yield from ("--max-time", str(PATIENCE), "--dump-header", str(self.folder / f"head{number}"), "--output", str(self.folder / f"body{number}"))
        yield from ("--write-out", "%{http_version} %{num_connects} %{response_code}\n")
        if ask.version == "2":
            yield "--http2-prior-knowledge" if ask.url.startswith("http:") else "--http2"
        elif ask.version == "1":
            yield "--http1.1"
        yield from ("--head",) if ask.method == "HEAD" else ("--location",) if ask.follow else ("--request", ask.method)
        for one in ask.fields:
            yield from ("--header", one)
        if ask.body >= 0:
            yield from self.upload(ask)
        if ask.proxy:
            yield from ("--proxy", ask.proxy)
            for one in ask.proxy_fields:
                yield from ("--proxy-header", one)
        yield ask.url

    def upload(self, ask):
        file = self.folder / "upload"
        file.write_bytes(content(ask.body))
        yield from ("--data-binary", f"@{file}", "--header", "Content-Type: application/octet-stream")
        yield from ("--header", "Expect: 100-continue" if ask.expect else "Expect:")
        if ask.framing == "chunked" and ask.version != "2":
            yield from ("--header", "Transfer-Encoding: chunked")

    def ask(self, ask):
        return self.ask_all([ask])[0]

    def ask_all(self, asks):
        for old in self.folder.iterdir():
            old.unlink()
        command = ["curl"]
        for number, ask in enumerate(asks):
            command += [*(["--next"] if number else []), *self.options(ask, number)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            return [Response(error=done.stderr.strip() or f"exit code {done.returncode}")] * len(asks)
        lines = [line.split() for line in done.stdout.splitlines()]
        if sum(int(connects) for _, connects, _ in lines) > 1 and not any(ask.follow for ask in asks):
            return [Response(error=f"{lines} (expected: one connection)")] * len(asks)
        return [self.response(asks[number], number, line[0][0], int(line[2])) for number, line in enumerate(lines)]

    def response(self, ask, number, version, status):
        body = self.folder / f"body{number}"
        body = body.read_bytes() if body.exists() and ask.method != "HEAD" else b""
        head = (self.folder / f"head{number}").read_text(errors="replace").strip().split("\n\n")[-1]
        fields = [tuple(part.strip() for part in line.split(":", 1)) for line in head.splitlines()[1:] if ":" in line]
        return Response(status, version, fields, len(body), hashlib.sha256(body).hexdigest(), body[:2048].decode(errors="replace"))

    def close(self):
        pass
