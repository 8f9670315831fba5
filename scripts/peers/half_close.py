"""Clients that end their output behind a request and go on reading: sockets of Python, nc and socat."""

import socket
import subprocess

import install
from processes import PATIENCE, certificate
from scenarios import Wrong

SECONDS = 30
END = b'{"line":5}\n\r\n0\r\n\r\n'  # of the response in pieces, over 250 ms


def request(method="GET", path="/pieces", body=b"", more=""):
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{length}{more}\r\n".encode() + body


def by_socket(port, sent, connect=b""):
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
        if connect:
            client.sendall(connect)
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += client.recv(1) or b"\r\n\r\n"
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        received = b""
        while piece := client.recv(65536):
            received += piece
        return received


def by_program(command, sent):
    done = subprocess.run([str(word) for word in command], input=sent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    return done.stdout


def whole(received, end=END):
    if not received.endswith(end):
        raise Wrong(f"{received[-200:]} (expected: ... {end})")


def cut(received):
    if END in received:
        raise Wrong(f"{received[-200:]} (expected: no whole response)")


def sockets(ports):
    """limits.half-close: allow."""
    whole(by_socket(ports["half-plain"], request()))
    body = b"x" * 100_000
    whole(by_socket(ports["half-plain"], request("POST", "/echo", body, "Connection: close\r\n")), body[-100:] + b"\r\n0\r\n\r\n")
    whole(by_socket(ports["half-plain"], request() + request()))  # pipelined


def sockets_cut(ports):
    """The default: such a client has gone, as with nginx."""
    cut(by_socket(ports["plain"], request()))


def tunnel(ports):
    """Through CONNECT, which passes the end on whatever the setting."""
    connect = f"CONNECT 127.0.0.1:{ports['http']} HTTP/1.1\r\nHost: 127.0.0.1:{ports['http']}\r\n\r\n".encode()
    whole(by_socket(ports["out"], request(), connect))


def netcat(ports):
    whole(by_program(["nc", "-N", "127.0.0.1", ports["half-plain"]], request()))


def socat(ports):
    whole(by_program(["socat", "-t", SECONDS, "-", f"TCP:127.0.0.1:{ports['half-plain']}"], request()))


def socat_tls(ports):
    whole(by_program(["socat", "-t", SECONDS, "-", f"OPENSSL:localhost:{ports['half-tls']},cafile={certificate()}"], request()))


def of_go(case, plain, tls):
    """A case of scripts/peers/go/upgrade.go, without TLS and with it; None for one that is left out."""

    def check(ports):
        for address, options in ((f"127.0.0.1:{ports[plain]}" if plain else None, []), (f"localhost:{ports[tls]}" if tls else None, [certificate()])):
            if address:
                command = [str(word) for word in (install.go("go"), "case", case, address, *options)]
                done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      timeout=PATIENCE, check=False)
                if done.returncode != 0:
                    raise Wrong(f"{address}: {done.stdout.strip()[-400:]}")

    check.__name__ = case
    return check
