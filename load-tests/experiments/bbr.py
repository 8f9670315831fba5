"""CUBIC against BBR through the gateway, over a link emulated between two network namespaces.

Exit status: 0 all goals met, 1 a goal missed or a run failed, 2 wrong usage, 3 this machine lacks what the experiment needs
(Linux, root, a TUN device, network namespaces, cubic and bbr), 130 interrupted.
"""
import argparse
import ctypes
import datetime
import fcntl
import json
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import plot

HERE = Path(__file__).resolve().parent
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET, TUNSETIFF, IFF_TUN_NO_PI, PR_SET_PDEATHSIG = 0x40000000, 0x400454CA, 0x1001, 1
NEAR, FAR = "10.9.0.1", "10.9.0.2"  # the client's end; the gateway's end
CONTROLS = ("cubic", "bbr")
LOSSY = {"name": "100 Mbit/s, 100 ms, 1 % loss", "rate": 100e6, "rtt": 0.1, "loss": 0.01, "buffer": 1000, "seed": 1}
DEEP = {"name": "10 Mbit/s, 40 ms, buffer of 1,000 packets", "rate": 10e6, "rtt": 0.04, "loss": 0, "buffer": 1000, "seed": 1}
CONFIG = """
listeners:
  - {name: cubic, address: "0.0.0.0:8001", congestion-control: cubic}
  - {name: bbr, address: "0.0.0.0:8002", congestion-control: bbr}
admin: {address: "127.0.0.1:9180"}
transport: {kind: epoll, congestion-control: system}
upstreams:
  - {name: source, endpoints: ["127.0.0.1:9000"]}
  - {name: cubic, endpoints: ["10.9.0.1:9001"], congestion-control: cubic}
  - {name: bbr, endpoints: ["10.9.0.1:9002"], congestion-control: bbr}
routes:
  - {host: source.test, path: /, upstream: source, token: off}
  - {host: cubic.test, path: /, upstream: cubic, token: off}
  - {host: bbr.test, path: /, upstream: bbr, token: off}
"""


class Unavailable(Exception):
    """This machine lacks something that the experiment needs."""


class Processes:
    """Started processes; each in a process group of its own, and killed with this process at the latest."""

    def __init__(self, folder):
        self.folder, self.running = folder, []

    def start(self, name, command, **options):
        log = open(self.folder / (name + ".log"), "ab")
        options.setdefault("stdout", log)
        process = subprocess.Popen(
            command, stderr=log, start_new_session=True, preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), **options)
        log.close()
        self.running.append(process)
        return process

    def stop(self, process):
        if process in self.running:
            self.running.remove(process)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def stop_all(self):
        for process in list(self.running):
            self.stop(process)


class Namespace:
    """Network namespace without a name, with one TUN device: it ends with its processes and with this object's descriptors."""

    def __init__(self, address, peer):
        if LIBC.unshare(CLONE_NEWNET) != 0:
            raise Unavailable("network namespace: " + os.strerror(ctypes.get_errno()) + " (expected: root with CAP_SYS_ADMIN)")
        self.fd = os.open("/proc/self/ns/net", os.O_RDONLY)
        try:
            self.tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(self.tun, TUNSETIFF, struct.pack("16sH22x", b"link", IFF_TUN_NO_PI))
        except OSError as e:
            raise Unavailable("TUN device: " + str(e) + " (expected: /dev/net/tun that root may open)") from e
        # TCP remembers the path in the next connection unless told otherwise; its buffers must hold what BBR has in flight.
        settings = ("ipv4/tcp_congestion_control=reno", "ipv4/tcp_no_metrics_save=1", "ipv4/tcp_rmem=4096 131072 67108864",
                    "ipv4/tcp_wmem=4096 65536 67108864")
        for setting in settings:
            name, value = setting.split("=")
            Path("/proc/sys/net", name).write_text(value)
        for command in ("link set lo up", f"addr add {address} peer {peer} dev link", "link set dev link mtu 1500 up"):
            subprocess.run(["ip", *command.split()], check=True)
        self.default = Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()

    def command(self, *words):
        return ["nsenter", f"--net=/proc/{os.getpid()}/fd/{self.fd}", *words]

    def close(self):
        os.close(self.tun)
        os.close(self.fd)


def check_machine():
    if platform.system() != "Linux" or os.geteuid() != 0:
        raise Unavailable(f"system: {platform.system()}, user id {os.geteuid()} (expected: Linux, root)")
    if not os.path.exists("/dev/net/tun"):
        raise Unavailable("/dev/net/tun: missing (expected: a TUN device)")
    available = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    missing = [name for name in CONTROLS if name not in available]
    if missing:
        raise Unavailable(f"congestion controls: {' '.join(available)} (expected: also {' '.join(missing)})")


def serve(port):
    """Sends without end to a GET, and discards the body of anything else; a thread for each connection."""
    server = socket.create_server(("0.0.0.0", port), backlog=16)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=exchange, args=(connection,), daemon=True).start()


def exchange(connection):
    try:
        with connection:
            head = connection.recv(65536)
            if head.startswith(b"GET"):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n")
                block = bytes(1 << 16)
                while True:
                    connection.sendall(block)
            while connection.recv(1 << 16):
                pass
    except OSError:
        return


class Site:
    """Gateway behind the link, with its origins."""

    def __init__(self, folder, processes):
        self.processes = processes
        own = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.near, self.far = Namespace(NEAR, FAR), Namespace(FAR, NEAR)
        LIBC.setns(own, CLONE_NEWNET)
        os.close(own)
        for space, port in ((self.far, 9000), (self.near, 9001), (self.near, 9002)):
            self.processes.start(f"origin-{port}", space.command(sys.executable, __file__, "--serve", str(port)))
        config = folder / "gateway.yaml"
        config.write_text(CONFIG)
        environment = {**os.environ, "POSTERN_LEAK_DETECTION": "disabled"}
        gateway = self.processes.start("gateway", self.far.command("./postern", "run", "-c", str(config)), env=environment)
        end = time.monotonic() + 60
        ready = self.far.command("curl", "-sfo", "/dev/null", "http://127.0.0.1:9180/readyz")
        while subprocess.run(ready, check=False).returncode != 0:
            if gateway.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the gateway isn't ready:\n" + (folder / "gateway.log").read_text()[-3000:])
            time.sleep(0.1)

    def close(self):
        self.near.close()
        self.far.close()

    def sockets(self):
        """Returns the gateway's sockets on the link, with what the kernel says of them."""
        text = subprocess.run(self.far.command("ss", "-tinH", "src", FAR), check=True, capture_output=True, text=True).stdout
        found = {}
        for state, local, remote, info in re.findall(r"^(\S+)\s+\d+\s+\d+\s+(\S+)\s+(\S+)[^\n]*\n\s+([^\n]*)", text, re.M):
            acked, rtt = re.search(r"bytes_acked:(\d+)", info), re.search(r"\brtt:([\d.]+)", info)
            found[local, remote] = {
                "control": info.split()[0], "acked": int(acked[1]) if acked else 0, "rtt": float(rtt[1]) if rtt else 0.0, "state": state}
        return found

    def flow(self, shape, control, way, seconds):
        """Sends one stream over the link, and returns samples of its socket and of the link."""
        link = self.processes.start(
            "link", [sys.executable, str(HERE / "link.py"), str(self.far.tun), str(self.near.tun), json.dumps(shape)],
            pass_fds=(self.far.tun, self.near.tun), stdout=subprocess.PIPE, text=True)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(json.loads(line) for line in link.stdout), daemon=True)
        reader.start()
        port = 8001 + CONTROLS.index(control)
        older = set(self.sockets())  # closed sockets of an earlier flow whose last packets were never carried
        curl = ["curl", "-sS", "--max-time", str(seconds), "-o", "/dev/null"]
        if way == "upstream":
            body = ["-T", "-", "-H", f"Host: {control}.test", "-H", "Expect:", "http://127.0.0.1:8001/"]
            client = self.processes.start("client", self.far.command(*curl, *body), stdin=open("/dev/zero", "rb"))
        else:
            version = ["--http2-prior-knowledge"] if way == "listener, HTTP/2" else []
            address = ["-H", "Host: source.test", f"http://{FAR}:{port}/"]
            client = self.processes.start("client", self.near.command(*curl, *version, *address))
        samples, begin = [], time.monotonic()
        while client.poll() is None:
            now = time.monotonic()
            if now > begin + seconds + 10:
                raise RuntimeError(f"{way}, {control}: the client didn't end")
            news = [found for pair, found in self.sockets().items() if pair not in older]
            best = max(news, key=lambda found: found["acked"], default=None)
            if best and best["state"] == "ESTAB":
                samples.append({"time": now - begin, **best})
            time.sleep(0.1)
        end = time.monotonic() + 8
        while set(self.sockets()) - older and time.monotonic() < end:  # what is left would mix with the next flow
            time.sleep(0.1)
        self.processes.stop(link)
        reader.join(5)
        for line in lines:
            line["time"] -= begin
        return Flow(shape, control, way, seconds, samples, [line for line in lines if line["time"] <= seconds])


class Flow:
    """Samples of one flow; its figures are those of the second half."""

    def __init__(self, shape, control, way, seconds, samples, link):
        self.shape, self.control, self.way, self.seconds, self.samples, self.link = shape, control, way, seconds, samples, link
        half = [sample for sample in samples if sample["time"] >= seconds / 2]
        queue = [line["queue"] for line in link if line["time"] >= seconds / 2]
        # Not of all samples: between the handshake and the gateway's accept, a socket has the default of its namespace.
        seen = {sample["control"] for sample in half}
        if len(half) < 5 or len(queue) < 5 or seen != {control}:
            raise RuntimeError(f"{way}, {control}: {len(half)} samples of ss, of {sorted(seen)} (expected: 5 or more, of {control} alone)")
        self.rate = (half[-1]["acked"] - half[0]["acked"]) * 8 / (half[-1]["time"] - half[0]["time"])
        self.share = self.rate / shape["rate"]
        self.queue = statistics.median(queue)
        self.rtt = statistics.median(sample["rtt"] for sample in half) / 1000
        self.late = max(line["late"] for line in link)

    def figures(self):
        last = self.link[-1]
        return {
            "link": self.shape["name"], "way": self.way, "control": self.control, "seconds": self.seconds,
            "mbit_per_second": round(self.rate / 1e6, 3), "share_of_link": round(self.share, 4),
            "queueing_delay_ms": round(self.queue * 1000, 2), "rtt_ms": round(self.rtt * 1000, 1),
            "packets": {"sent": last["sent"], "lost": last["lost"], "dropped": last["dropped"]},
            "emulator_late_ms": round(self.late * 1000, 2)}

    def __str__(self):
        return (f"{self.rate / 1e6:.2f} Mbit/s ({self.share:.1%} of the link), queueing delay {self.queue * 1000:.1f} ms, "
                f"rtt {self.rtt * 1000:.0f} ms, {self.link[-1]['lost']} lost, {self.link[-1]['dropped']} dropped")


def plan(seconds):
    """Rounds alternate, so that a slower moment of the machine meets both; CUBIC needs longer to fill the deep buffer."""
    for way, shape, rounds in (("listener", LOSSY, 2), ("listener", DEEP, 2), ("listener, HTTP/2", LOSSY, 1), ("upstream", LOSSY, 1)):
        for _ in range(rounds):
            for control in CONTROLS:
                yield way, shape, control, seconds if shape["loss"] else 2 * seconds


def judge(flows):
    """Returns the rows: what, values per round, their median, goal, and whether it is met."""
    rows = []

    def row(what, values, goal, met):
        median = statistics.median(values)
        rows.append({"what": what, "values": [round(v, 4) for v in values], "median": round(median, 4), "goal": goal, "met": met(median)})

    for way, shape in dict.fromkeys((flow.way, flow.shape["name"]) for flow in flows):
        cubic, bbr = ([f for f in flows if (f.way, f.shape["name"], f.control) == (way, shape, control)] for control in CONTROLS)
        pairs = list(zip(cubic, bbr))
        if shape == LOSSY["name"]:
            row(f"{way}: throughput, BBR / CUBIC", [b.rate / c.rate for c, b in pairs], ">= 60", lambda v: v >= 60)
            row(f"{way}: throughput, BBR / link", [b.share for b in bbr], ">= 0.85", lambda v: v >= 0.85)
        else:
            row(f"{way}: queueing delay, BBR / CUBIC", [b.queue / c.queue for c, b in pairs], "<= 0.04 (1/25)", lambda v: v <= 0.04)
            row(f"{way}: throughput, BBR / CUBIC", [b.rate / c.rate for c, b in pairs], "", lambda v: True)
    return rows


def machine():
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return {
        "kernel": platform.release(), "cores": os.cpu_count(), "processor": model[1] if model else platform.machine(),
        "default_congestion_control": Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip(),
        "date": datetime.date.today().isoformat()}


def markdown(result):
    of = result["machine"]
    lines = [
        f"Command: `{result['command']}`. Machine: {of['processor']}, {of['cores']} cores, kernel {of['kernel']}, default "
        f"congestion control {of['default_congestion_control']} (in both namespaces: {result['namespace_default']}). Date: {of['date']}.",
        "", "| figure | value | rounds | goal | verdict |", "| --- | --- | --- | --- | --- |"]
    for row in result["rows"]:
        verdict = ("MET" if row["met"] else "MISSED") if row["goal"] else ""
        lines.append(f"| {row['what']} | {row['median']:.4g} | {', '.join(f'{v:.4g}' for v in row['values'])} | {row['goal']} | {verdict} |")
    lines += ["", "| link | sender | control (`ss`) | Mbit/s | share | queueing delay | rtt (`ss`) | sent | lost | dropped |",
              "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for f in result["flows"]:
        p = f["packets"]
        lines.append(
            f"| {f['link']} | {f['way']} | {f['control']} | {f['mbit_per_second']:.2f} | {f['share_of_link']:.1%} | {f['queueing_delay_ms']:.1f} ms "
            f"| {f['rtt_ms']:.0f} ms | {p['sent']} | {p['lost']} | {p['dropped']} |")
    late = max(f["emulator_late_ms"] for f in result["flows"])
    return "\n".join([*lines, "", f"Latest packet of the emulator: {late} ms behind its time.", ""])


def run(out, seconds):
    folder = Path(tempfile.mkdtemp(prefix="postern-bbr-"))
    processes, site, flows = Processes(folder), None, []
    try:
        check_machine()
        site = Site(folder, processes)
        if site.far.default == "bbr":
            raise RuntimeError("default of the namespace: bbr (expected: another one, or nothing is proven)")
        steps = list(plan(seconds))
        for number, (way, shape, control, length) in enumerate(steps, 1):
            flow = site.flow(shape, control, way, length)
            flows.append(flow)
            print(f"{number}/{len(steps)} {shape['name']}, {way}, {control}: {flow}", file=sys.stderr, flush=True)
        result = {
            "command": "load-tests/experiments/bbr" + ("" if seconds == 10 else f" --seconds {seconds}"), "machine": machine(),
            "namespace_default": site.far.default, "rows": judge(flows), "flows": [flow.figures() for flow in flows]}
    finally:
        processes.stop_all()
        if site:
            site.close()
        shutil.rmtree(folder, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / "bbr.json").write_text(json.dumps(result, indent=1) + "\n")
    (out / "bbr-table.md").write_text(markdown(result))
    (out / "bbr.svg").write_text(plot.svg(flows))
    subprocess.run(["rsvg-convert", "-o", str(out / "bbr.png"), str(out / "bbr.svg")], check=True)
    print(markdown(result))
    return 0 if all(row["met"] for row in result["rows"]) else 1


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(prog="load-tests/experiments/bbr", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("load-tests/target/experiments"), help="folder of the results (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="length of a flow on the lossy link; twice that in the deep buffer (default: %(default)s)")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve)
    if not 4 <= options.seconds <= 60:
        parser.error(f"--seconds: {options.seconds} (expected: 4 to 60)")
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    try:
        return run(options.out, options.seconds)
    except Unavailable as e:
        print(f"bbr: this machine can't run the experiment: {e}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    except (RuntimeError, subprocess.CalledProcessError) as e:
        print(f"bbr: {e}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
