"""Runs clients through the scenarios of their ways and prints a line for each."""

import os
import subprocess
import sys
import time

import chromium
import install
from clients import GO, Browser, Grpc, Raw
from curl_client import Curl
from processes import WORK, Failure, Processes, certificate, gateway, half_close_gateway, mint, run, server_gateway, start_issuer, start_origin
from scenarios import SCENARIOS, WAYS, Reach, Wrong, label, reaches
from servers import Server, clean

CASE = 150  # seconds that one case of gRPC may take
TOKENS = 40  # for each client and way that carries one


def reason(output):
    """The last line of a program that says what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "fail" in line.lower() or "error" in line.lower() or "expected" in line]
    return (telling or lines)[-1][:400]


class Suite:
    def __init__(self, clients):
        self.clients = [client for client in clients if not isinstance(client, Server)]
        self.servers = [server for server in clients if isinstance(server, Server)]
        self.passed = 0
        self.failed = 0
        self.broken = 0
        self.ports = {}

    def run(self):
        WORK.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        try:
            install.packages("node:nodejs", "openssl")
            with Processes() as processes:
                if self.clients:
                    self.start(processes)
                for client in self.clients:
                    self.client(client)
                if self.servers:
                    self.behind(processes)
        except Failure as failure:
            self.broken += 1
            print(f"scripts/clients: {failure}", file=sys.stderr)
        finally:
            clean()
        print(f"\n{len(self.clients)} clients, {len(self.servers)} servers, {time.monotonic() - started:.0f} s")
        print(f"{self.passed} passed, {self.failed + self.broken} failed")
        return 2 if self.broken else 1 if self.failed else 0

    def start(self, processes):
        origin, issuer = start_origin(processes), start_issuer(processes)
        if any(isinstance(client, Grpc) for client in self.clients):
            install.packages(*GO)
            origin["grpc"] = int(processes.start("grpc", [install.go("grpc-go"), "serve"], r"^port (\d+)$").group(1))
        half_close_ports = {}
        if any(isinstance(client, Raw) for client in self.clients):
            install.packages(*GO)
            origin["upgrade"] = int(processes.start("upgrade", [install.go("go"), "serve"], r"^port (\d+)$").group(1))
            half_close_ports = half_close_gateway(processes, origin)
        self.ports = {**gateway(processes, origin, issuer), "http": origin["http"], "origin-tls": origin["tls"], "grpc": origin.get("grpc")}
        self.ports |= half_close_ports
        direct = sum("token" in client.ways for client in self.clients)
        through = sum("proxy-token" in client.ways for client in self.clients)
        tokens, proxy_tokens = [], []
        if direct:
            tokens = mint(f"http://127.0.0.1:{self.ports['plain']}/token/hello", TOKENS * direct)
        if through:
            proxy_tokens = mint(f"http://127.0.0.1:{origin['http']}/hello", TOKENS * through, "--proxy", f"127.0.0.1:{self.ports['out-token']}")
        self.reaches = reaches(self.ports, tokens, proxy_tokens)

    def client(self, client):
        started = time.monotonic()
        print(f"\n== {client.name}", flush=True)
        try:
            install.packages(*client.packages)
            if isinstance(client, Grpc):
                self.cases(client)
                return
            if isinstance(client, Raw):
                self.functions(client)
                return
            if isinstance(client, Browser):
                self.pages(client)
                return
            program = client.start()
        except Failure as failure:
            self.broken += 1
            print(f"FAIL  {client.name}: {failure}", flush=True)
            return
        try:
            self.scenarios(client, program)
        finally:
            program.close()
        print(f"      {time.monotonic() - started:.1f} s", flush=True)

    def scenarios(self, client, program):
        for scenario in SCENARIOS:
            name = label(scenario)
            ways = [self.reaches[way] for way in client.ways if scenario in WAYS[way] and not {name, f"{way} {name}"} & set(client.without)]
            for reach in ways:
                reach.client = program
            self.scenario(client.name, scenario, ways)

    def scenario(self, name, scenario, ways):
        started, wrong = time.monotonic(), []
        for reach in ways:
            try:
                scenario(reach)
            except Wrong as what:
                wrong.append(f"{reach.name}: {what}")
        if ways:
            self.line(name, label(scenario), len(ways), wrong, time.monotonic() - started)

    def cases(self, client):
        for case in dict.fromkeys((*client.cases, *(case for cases in client.others.values() for case in cases))):
            started, wrong = time.monotonic(), []
            ways = [] if case not in client.cases else ["tls-h2"] if case in client.only_tls else ["h2c", "tls-h2"]
            ways += [way for way, cases in client.others.items() if case in cases]
            for way in ways:
                address, authority, environment = self.address(way)
                try:
                    run(client.command(case, address, authority), timeout=CASE, env={**os.environ, **environment})
                except Failure as what:
                    (WORK / "logs" / f"{client.name}-{case}.log").write_text(str(what))
                    wrong.append(f"{way}: {reason(str(what))}")
                except subprocess.TimeoutExpired:
                    wrong.append(f"{way}: no end within {CASE} s")
            self.line(client.name, case, len(ways), wrong, time.monotonic() - started)

    def address(self, way):
        """Where a client of gRPC connects: address, file of the authority, environment that names proxy and token."""
        plain, tls = (f"127.0.0.1:{self.ports['plain']}", None), (f"localhost:{self.ports['tls']}", certificate())
        server, out, out_token = (f"127.0.0.1:{self.ports[port]}" for port in ("grpc", "out", "out-token"))
        match way:
            case "h2c":
                return *plain, {}
            case "tls-h2":
                return *tls, {}
            case "token":
                return *tls, {"PEER_TOKEN": mint(f"http://{plain[0]}/grpc.testing.ReconnectService", 1)[0]}
            case "proxy":
                return server, None, {"PEER_PROXY": out}
            case "proxy-token":
                return server, None, {"PEER_PROXY": out_token, "PEER_TOKEN": self.reaches["proxy-token"].tokens.pop()}

    def functions(self, client):
        for case in client.cases:
            started, wrong = time.monotonic(), []
            try:
                case(self.ports)
            except (Wrong, subprocess.TimeoutExpired, OSError) as what:
                wrong.append(str(what))
            self.line(client.name, case.__name__.replace("_", "-"), 1, wrong, time.monotonic() - started)

    def pages(self, browser):
        wrong, counts = {}, {}
        started = time.monotonic()
        for way in browser.ways:
            for scenario, what in chromium.page(self.ports, way).items():
                counts[scenario] = counts.get(scenario, 0) + 1
                if what:
                    wrong.setdefault(scenario, []).append(f"{way}: {what}")
        for scenario, count in counts.items():
            self.line(browser.name, scenario, count, wrong.get(scenario, []), time.monotonic() - started)
        started, what = time.monotonic(), chromium.waiting_room(self.ports)
        self.line(browser.name, "waiting-room", 1, [f"http: {what}"] if what else [], time.monotonic() - started)

    def behind(self, processes):
        ports = {}
        install.packages("curl")
        for server in self.servers:
            try:
                install.packages(*server.packages)
                ports[server.name] = server.start(processes)
            except Failure as failure:
                self.broken += 1
                print(f"FAIL  {server.name}: {failure}", flush=True)
        gateway_ports = server_gateway(processes, ports)
        for server in self.servers:
            if server.name in ports:
                print(f"\n== {server.name}, behind the gateway", flush=True)
                self.server(server, gateway_ports)

    def server(self, server, ports):
        plain, tls = f"http://127.0.0.1:{ports['plain']}/{server.name}", f"https://localhost:{ports['tls']}/{server.name}"
        ways = [Reach("http", plain, "1"), Reach("tls-h2", tls, "2")]
        for reach in ways:
            reach.client = Curl(certificate(), WORK / "curl")
        for scenario in server.scenarios:
            self.scenario(server.name, scenario, [reach for reach in ways if label(scenario) not in server.without])
        for check in server.checks:
            started, wrong = time.monotonic(), []
            try:
                check(plain)
            except (Wrong, Failure) as what:
                wrong.append(f"http: {what}")
            self.line(server.name, check.__name__, 1, wrong, time.monotonic() - started)

    def line(self, client, scenario, count, wrong, seconds):
        self.passed += count - len(wrong)
        self.failed += len(wrong)
        print(f"{'FAIL' if wrong else 'ok  '}  {client:22} {scenario:27} {count - len(wrong)} of {count}, {seconds:.1f} s", flush=True)
        for one in wrong:
            print(f"        {one}", flush=True)
