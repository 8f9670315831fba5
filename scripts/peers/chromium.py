"""Chromium as a client: it loads a page through the gateway whose script does the scenarios and reports."""

import json
import subprocess
import tempfile
import time
import urllib.request
from urllib.parse import quote

from processes import WORK

PATIENCE = 120  # seconds until a page must have reported
COMMON = ("get", "many", "none", "none-with-length", "redirect", "post", "upload", "download", "pieces", "cookies", "path", "query")
DIRECT = COMMON + ("early-refusal", "websocket")

# No connection leaves the machine: no name but localhost resolves, nothing is fetched in the background.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--ignore-certificate-errors", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1")


def pages(ports):
    """URL, proxy or none, and scenarios of each way. WebSockets need a connection without HTTP/2 or by its extended CONNECT; Chromium opens one of its own."""
    out = f"127.0.0.1:{ports['out']}"
    return {
        "http": (f"http://localhost:{ports['plain']}/page", "", DIRECT),
        "tls-h2": (f"https://localhost:{ports['tls']}/page", "", DIRECT),
        "h2-site": (f"https://localhost:{ports['tls']}/h2/page", "", ("get", "many", "none", "post", "upload", "download", "pieces")),
        "proxy-http": (f"http://localhost:{ports['http']}/page", out, COMMON),
        "proxy-tls": (f"https://localhost:{ports['origin-tls']}/page", out, COMMON),
    }


def chromium(url, proxy, *more):
    profile = tempfile.mkdtemp(prefix="chromium-", dir=WORK)  # processes of the browser before may still write to theirs
    through = (f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>") if proxy else ("--no-proxy-server",)
    return subprocess.Popen(["chromium", *FLAGS, *through, f"--user-data-dir={profile}", *more, url], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=(WORK / "logs" / "chromium.log").open("a"), text=True)


def page(ports, way):
    """Loads the page and returns what was wrong, by scenario."""
    url, proxy, scenarios = pages(ports)[way]
    browser = chromium(f"{url}?way={way}&scenarios={quote(' '.join(scenarios))}", proxy, "--remote-debugging-port=0")
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and browser.poll() is None:
            with urllib.request.urlopen(f"http://127.0.0.1:{ports['http']}/report", timeout=10) as response:
                for report in json.load(response):
                    if report["way"] == way:
                        return report["results"]
            time.sleep(0.2)
        return dict.fromkeys(scenarios, f"no report within {PATIENCE} s")
    finally:
        browser.terminate()
        browser.wait(timeout=10)


def waiting_room(ports):
    """What a browser shows that comes second to a room for one: the waiting page, or what it was instead."""
    room = f"http://localhost:{ports['plain']}/room/hello"
    for _ in range(2):  # one passes by the rate, one takes the only place
        with urllib.request.urlopen(room, timeout=10) as other:
            other.read()
    browser = chromium(room, "", "--dump-dom")
    try:
        shown, _ = browser.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        browser.kill()
        return f"no page within {PATIENCE} s"
    return "" if "<html lang=\"en\" dir=\"ltr\">" in shown and "<pre" not in shown else f"{shown[:200]!r} (expected: the waiting page)"
