"""The table of clients: stage, ways to the origin, what each cannot do, how each is installed and started."""

import os
from dataclasses import dataclass, field
from typing import Callable

import half_close
import install
from curl_client import Curl
from processes import PEERS, WORK, certificate
from wget_client import Wget
from wire import Program


@dataclass
class Grpc:
    """A client that runs a case to its end and tells by its exit code: without TLS, over TLS, and some cases by other ways."""

    name: str
    stage: str
    command: Callable  # of case, address and the file of an authority or None
    cases: tuple
    others: dict = field(default_factory=dict)  # ways and their cases; the environment names proxy and token
    only_tls: tuple = ()
    packages: tuple = ()

    @property
    def ways(self):
        return ("h2c", "tls-h2", *self.others)


@dataclass
class Raw:
    """A client that does more with its connection than requests: functions of the ports of gateways and origins."""

    name: str
    stage: str
    cases: tuple
    packages: tuple = ()
    ways: tuple = ("http", "tls")


@dataclass
class Browser:
    """A browser, whose page does the scenarios."""

    name: str
    stage: str
    packages: tuple
    ways = ("http", "tls-h2", "h2-site", "proxy-http", "proxy-tls")


@dataclass
class Client:
    name: str
    stage: str
    start: Callable  # installs and starts it
    ways: tuple = ()
    without: dict = field(default_factory=dict)  # what this client cannot do, as SCENARIO or WAY SCENARIO, and why
    packages: tuple = ()


def log(name):
    folder = WORK / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.log"


ALL_WAYS = ("http", "h2c", "tls", "tls-h2", "h2-site", "token", "proxy-http", "proxy-tls", "proxy-token")

# Debian 12's curl 7.88 loses these with any server, nginx and Node's too: it sends the preface again on a kept connection, and drops a response that
# comes in one read with RST_STREAM.
CURL_H2C = {f"h2c {scenario}": "curl 7.88" for scenario in ("keep-alive", "none", "none-with-length", "redirect", "early-refusal", "early-response")}



def jvm(name):
    return lambda: Program([*install.maven("java"), "dev.postern.peers.Main", name], log(name))


# The JDK's HTTP/2 goes on sending a body after the response and RST_STREAM, and times out; with nginx and Node too.
JDK_EARLY = {name: "JDK 17" for name in ("tls-h2 early-response", "tls-h2 early-refusal", "token challenge-post")}

UNDICI = {
    "expect": "refuses to send it",
    **{name: "HTTP/2 of undici 7 reports a reset in place of the response before it, with nginx too"
       for name in ("tls-h2 early-response", "tls-h2 early-refusal", "token challenge-post")},
}

HTTP_CLIENT = {"expect": "does not wait for 100", "hints": "takes 103 for the response, from any server"}
HTTPX = {
    "expect": "does not wait for 100",
    **{name: "over HTTP/2 it waits for a window after an early response until its time-out, with nginx too"
       for name in ("h2c early-response", "tls-h2 early-response", "h2c early-refusal", "tls-h2 early-refusal", "token challenge-post")},
}
WGET = {name: "has no option for it" for name in ("chunked", "expect")}

H1_TOKEN_WAYS = ("http", "tls", "h2-site", "token", "proxy-http", "proxy-tls", "proxy-token")
H1_WAYS = ("http", "tls", "h2-site", "token", "proxy-http", "proxy-tls", "proxy-challenge")

NODE = ("node:nodejs", "npm")


def node(name):
    def start():
        environment = {**os.environ, "NODE_EXTRA_CA_CERTS": str(certificate())}
        return Program(["node", install.npm("node") / "client.mjs", name], log(name), env=environment)

    return start


def go_http():
    return Program([install.go("go"), certificate()], log("go"))


def grpc_go(case, address, authority):
    return [install.go("grpc-go"), case, address, *([authority] if authority else [])]


def python(name):
    return lambda: Program([install.pip("python"), PEERS / "python" / "client.py", name, certificate()], log(name))


def grpc_java(case, address, authority):
    host, port = address.split(":")
    return [*install.maven("grpc-java"), "io.grpc.testing.integration.TestServiceClient", f"--server_host={host}", f"--server_port={port}",
            f"--use_tls={'true' if authority else 'false'}", "--use_test_ca=false", f"--test_case={case}", *SOAK]


SOAK = ("--soak_iterations=2000", "--soak_max_failures=0", "--soak_per_iteration_max_acceptable_latency_ms=5000", "--soak_overall_timeout_seconds=140")
PYTHON = ("python3",)
GO = ("go:golang",)
OFFICIAL = ("empty_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong", "empty_stream", "timeout_on_sleeping_server",
            "cancel_after_begin", "cancel_after_first_response", "custom_metadata", "status_code_and_message", "special_status_message",
            "unimplemented_method", "unimplemented_service", "rpc_soak")
UPGRADES = ("docker-transport", "docker-missing", "kubectl-spdy", "kubectl-websocket")

ALL = (
    Client("curl", "long", lambda: Curl(certificate(), WORK / "curl"), ALL_WAYS, CURL_H2C, ("curl",)),
    Client("url-connection", "long", jvm("url-connection"), H1_WAYS, {"hints": "takes 103 for the response, from any server"}),
    Client("jdk-client", "long", jvm("jdk-client"), ("http", "h2c-upgrade", "tls", "tls-h2", "h2-site", "token", "proxy-http", "proxy-tls", "proxy-token"), JDK_EARLY),
    Client("apache4", "long", jvm("apache4"), H1_WAYS),
    Client("apache5", "full", jvm("apache5"), H1_WAYS),
    Client("undici", "long", node("undici"), ("http", "tls", "tls-h2", "h2-site", "token", "proxy-http", "proxy-tls", "proxy-token"), UNDICI, NODE),
    Grpc("grpc-go", "long", grpc_go, OFFICIAL + ("watch_and_cancel", "silent_watch", "refusal"),
         {"token": ("token",), "proxy": OFFICIAL[:-1], "proxy-token": ("empty_unary", "ping_pong")}, ("rpc_soak", "silent_watch"), GO),
    Grpc("grpc-java", "full", grpc_java, OFFICIAL, only_tls=("rpc_soak",), packages=GO),
    Browser("chromium", "long", ("chromium",)),
    # docker-exec ends its output within the tunnel: over TLS only the JDK's engine of the gateway goes on sending then.
    Raw("go-upgrade", "long", (half_close.of_go("docker-exec", "plain", "half-tls"), *(half_close.of_go(case, "plain", "tls") for case in UPGRADES)), GO),
    Raw("half-close", "full", (half_close.sockets, half_close.sockets_cut, half_close.tunnel, half_close.netcat, half_close.socat, half_close.socat_tls,
                               half_close.of_go("half-close", "half-plain", "half-tls"), half_close.of_go("half-close-cut", "plain", "tls")),
        (*GO, "nc:netcat-openbsd", "socat")),
    Client("go", "full", go_http, ALL_WAYS, packages=GO),
    Client("node-http", "full", node("http"), H1_TOKEN_WAYS, {"redirect": "leaves it to the caller"}, NODE),
    Client("node-http2", "full", node("http2"), ("h2c", "tls-h2", "h2-site", "token", "proxy-tls", "proxy-token"), {"redirect": "leaves it to the caller"}, NODE),
    Client("http.client", "full", python("http.client"), H1_TOKEN_WAYS, {**HTTP_CLIENT, "redirect": "leaves it to the caller"}, PYTHON),
    Client("requests", "full", python("requests"), H1_WAYS, HTTP_CLIENT, PYTHON),
    Client("httpx", "full", python("httpx"), ("http", "h2c", "tls", "tls-h2", "h2-site", "token", "proxy-http", "proxy-tls", "proxy-token"),
           HTTPX, PYTHON),
    Client("aiohttp", "full", python("aiohttp"), H1_TOKEN_WAYS, packages=PYTHON),
    Client("ruby", "full", lambda: Program(["ruby", PEERS / "client.rb", certificate()], log("ruby")), H1_WAYS, packages=("ruby",)),
    Client("wget", "full", lambda: Wget(certificate(), WORK / "wget"), H1_WAYS, WGET, ("wget",)),
    Client("okhttp", "full", jvm("okhttp"), ALL_WAYS),
)
