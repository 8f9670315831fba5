"""wget, asked as a client program: each request is a process of its own."""

import hashlib
import re
import subprocess
from pathlib import Path

from wire import Response, PATIENCE, content


class Wget:
    def __init__(self, authority, folder):
        self.authority = authority
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def command(self, ask):
        yield from ("wget", "--server-response", "--content-on-error", "--tries=1", f"--timeout={PATIENCE}", "--no-verbose", f"--ca-certificate={self.authority}")
        yield from (f"--max-redirect={5 if ask.follow else 0}", f"--output-document={self.folder / 'body'}")
        if ask.method == "HEAD":
            yield "--spider"
        elif ask.method != "GET":
            yield f"--method={ask.method}"
        for one in ask.fields:
            yield f"--header={one}"
        if ask.body >= 0:
            file = self.folder / "upload"
            file.write_bytes(content(ask.body))
            yield from (f"--body-file={file}", "--header=Content-Type: application/octet-stream")
        if ask.proxy:
            yield from ("-e", "use_proxy=yes", "-e", f"http_proxy={ask.proxy}", "-e", f"https_proxy={ask.proxy}")
        else:
            yield "--no-proxy"
        yield ask.url

    def ask(self, ask):
        (self.folder / "body").unlink(missing_ok=True)
        done = subprocess.run(list(self.command(ask)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", check=False)
        heads = re.split(r"^ +HTTP/", done.stderr, flags=re.MULTILINE)
        if len(heads) < 2:
            return Response(error=" ".join(done.stderr.split()) or f"exit code {done.returncode}")
        status = int(heads[-1].split()[1])
        fields = [tuple(part.strip() for part in line.split(":", 1)) for line in heads[-1].splitlines()[1:] if line.startswith("  ") and ":" in line]
        body = self.folder / "body"
        body = body.read_bytes() if body.exists() and ask.method != "HEAD" else b""
        return Response(status, "1", fields, len(body), hashlib.sha256(body).hexdigest(), body[:2048].decode(errors="replace"))

    def ask_all(self, asks):
        return [self.ask(ask) for ask in asks]

    def close(self):
        pass
