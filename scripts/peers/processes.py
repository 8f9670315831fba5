"""Programs that run beside the clients: the origin, the issuer and the gateway under test, on free ports of loopback."""

import json
import re
import socket
import subprocess
import time
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
PEERS = HOME / "scripts" / "peers"
WORK = HOME / "target" / "clients"
PATIENCE = 180  # seconds until a program must have told its ports


class Failure(Exception):
    """What could not be set up, with what was expected."""


class Processes:
    """Starts programs with their output in files, and stops them at the end, the last one first."""

    def __init__(self):
        self.started = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.terminate()
        for process in reversed(self.started):
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()

    def start(self, name, command, pattern, **options):
        """Starts a program and returns the match of the first line of its output that has the pattern."""
        log = WORK / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("w") as output:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, **options)
        self.started.append(process)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(pattern, log.read_text(errors="replace"), re.MULTILINE)
            if found:
                return found
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise Failure(f"{name}: no line with {pattern} (expected: within {PATIENCE} s; see {log.relative_to(HOME)})\n{log.read_text()[-2000:]}")


    def listening(self, name, port):
        """Waits until the program that was started last accepts connections on a port."""
        process, end = self.started[-1], time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        log = WORK / "logs" / f"{name}.log"
        raise Failure(f"{name}: does not listen on {port} (expected: within {PATIENCE} s; see {log.relative_to(HOME)})\n{log.read_text()[-2000:]}")


def run(command, **options):
    """Runs a program to its end and returns its output."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode} (expected: 0)\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def certificate():
    """Makes a certificate for localhost that is its own authority, once for two days."""
    file = WORK / "tls" / "tls.crt"
    if not file.exists() or time.time() - file.stat().st_mtime > 86400:
        file.parent.mkdir(parents=True, exist_ok=True)
        key = file.with_name("tls.key")
        key.unlink(missing_ok=True)
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", file])
        key.chmod(0o600)
    return file


def start_origin(processes):
    found = processes.start("origin", ["node", PEERS / "origin.mjs", certificate(), certificate().with_name("tls.key")], r"^\{.*\}$")
    return json.loads(found.group())


def start_issuer(processes):
    found = processes.start("issuer", [HOME / "postern", "issuer", "--json", "--address", "127.0.0.1:0"], r"127\.0\.0\.1:(\d+)/")
    return int(found.group(1))


def start_gateway(processes, name, configuration):
    """Starts a gateway and returns the port of each listener by its name. A busy machine is no reason to refuse: the clients are tested."""
    file = WORK / f"{name}.yaml"
    file.write_text(configuration + "\noverload: {loop-lag: {shed-above: 0ms}}\n")
    listeners = re.findall(r"^ +- \{name: ([a-z-]+), address:", configuration, re.MULTILINE)
    log = WORK / "logs" / f"{name}.log"
    processes.start(name, [HOME / "postern", "run", "-c", file], rf"listener {listeners[-1]} .*:\d+")
    return {listener: int(re.search(rf"listener {listener} .*?:(\d+)", log.read_text()).group(1)) for listener in listeners}


def gateway(processes, origin, issuer):
    """Starts the gateway that most clients are run against: plain, TLS, two forward listeners, routes with and without tokens."""
    tls = "tls: {certificates: [{certificate-file: tls/tls.crt, private-key-file: tls/tls.key}]}"
    return start_gateway(processes, "gateway", f"""
listeners:
  - {{name: plain, address: "127.0.0.1:0"}}
  - {{name: tls, address: "127.0.0.1:0", {tls}}}
  - {{name: out, address: "127.0.0.1:0", mode: forward, forward: open}}
  - {{name: out-token, address: "127.0.0.1:0", mode: forward, forward: tokens, origin-name: proxy.example}}
admin: {{address: "127.0.0.1:0"}}
lifecycle: {{drain-delay: 0s, drain-timeout: 1s}}
log: {{successes: 100%}}
privacy-pass:
  challenge-window: 1h
  issuers: [{{name: "127.0.0.1:{issuer}", directory: "http://127.0.0.1:{issuer}/.well-known/private-token-issuer-directory"}}]
rate-limits:
  - {{name: room, rate: 1/h, burst: 0, fair-queue: {{active-sessions: 1}}}}
upstreams:
  - {{name: site, endpoints: ["127.0.0.1:{origin['http']}"]}}
  - {{name: site-h2, endpoints: ["127.0.0.1:{origin['h2c']}"], protocol: h2}}
  - {{name: upgrade, endpoints: ["127.0.0.1:{origin.get('upgrade', 1)}"]}}
  - {{name: grpc, endpoints: ["127.0.0.1:{origin.get('grpc', 1)}"], protocol: h2}}
routes:
  - {{path: /, upstream: site, token: off}}
  - {{path: /h2, upstream: site-h2, token: off}}
  - {{path: /small, upstream: site, token: off, request-body: 1KiB}}
  - {{path: /upgrade, upstream: upgrade, token: off, upgrade: {{protocols: [tcp, spdy/3.1, websocket]}}}}
  - {{path: /token, upstream: site, token: required}}
  - {{path: /room, upstream: site, token: off, rate-limit: room}}
  - {{path: /grpc.testing.TestService, upstream: grpc, token: off}}
  - {{path: /grpc.testing.UnimplementedService, upstream: grpc, token: off}}
  - {{path: /grpc.testing.ReconnectService, upstream: grpc, token: required}}
forward:
  open: {{token: off, allow-ports: [{origin['http']}, {origin['tls']}, {origin.get('grpc', 1)}], allow-private: [127.0.0.0/8]}}
  tokens: {{token: required, allow-ports: [{origin['http']}, {origin['tls']}, {origin.get('grpc', 1)}], allow-private: [127.0.0.0/8]}}
""")


def half_close_gateway(processes, origin):
    """Starts a gateway for clients that end their output. BoringSSL sends nothing behind a client's close_notify; the JDK's engine does."""
    return start_gateway(processes, "half-close-gateway", f"""
listeners:
  - {{name: half-plain, address: "127.0.0.1:0"}}
  - {{name: half-tls, address: "127.0.0.1:0", tls: {{certificates: [{{certificate-file: tls/tls.crt, private-key-file: tls/tls.key}}]}}}}
admin: {{address: "127.0.0.1:0"}}
transport: {{tls-engine: jdk}}
limits: {{half-close: allow}}
lifecycle: {{drain-delay: 0s, drain-timeout: 1s}}
log: {{successes: 100%}}
upstreams:
  - {{name: site, endpoints: ["127.0.0.1:{origin['http']}"]}}
  - {{name: upgrade, endpoints: ["127.0.0.1:{origin['upgrade']}"]}}
routes:
  - {{path: /, upstream: site, token: off}}
  - {{path: /upgrade, upstream: upgrade, token: off, upgrade: {{protocols: [tcp]}}}}
""")


def server_gateway(processes, ports):
    """Starts the gateway before servers: the paths of each begin with its name."""
    upstreams = "".join(f'  - {{name: {name}, endpoints: ["127.0.0.1:{port}"]}}\n' for name, port in ports.items())
    routes = "".join(f"  - {{path: /{name}, upstream: {name}, token: off}}\n" for name in ports)
    return start_gateway(processes, "server-gateway", f"""
listeners:
  - {{name: plain, address: "127.0.0.1:0"}}
  - {{name: tls, address: "127.0.0.1:0", tls: {{certificates: [{{certificate-file: tls/tls.crt, private-key-file: tls/tls.key}}]}}}}
admin: {{address: "127.0.0.1:0"}}
lifecycle: {{drain-delay: 0s, drain-timeout: 1s}}
log: {{successes: 100%}}
upstreams:
{upstreams}routes:
{routes}""")


def mint(url, count, *options):
    """Gets tokens for the challenge of a URL, or of a forward proxy."""
    return run([HOME / "postern", "mint", url, "-n", count, *options]).split()
