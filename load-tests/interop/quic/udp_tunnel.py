"""UDP port on loopback whose datagrams go through CONNECT-UDP tunnels of a proxy (RFC 9298), a tunnel for each sender.

    python3 udp_tunnel.py --proxy 127.0.0.1:3128 --target 127.0.0.1:4433 [--http2] [--token TOKEN]

Prints the port. Shares no code with the gateway: HTTP/1.1 and capsules are written here, HTTP/2 is that of the package h2.
"""

import argparse
import asyncio
import urllib.parse

import h2.config
import h2.connection
import h2.events


def integer(value):
    """Returns a variable-length integer (RFC 9000 section 16)."""
    for power, limit in enumerate((1 << 6, 1 << 14, 1 << 30, 1 << 62)):
        if value < limit:
            size = 1 << power
            return (value | power << (size * 8 - 2)).to_bytes(size, "big")
    raise ValueError(value)


def capsule(payload):
    """Returns the DATAGRAM capsule of a UDP payload (RFC 9297 section 3.5, RFC 9298 section 5)."""
    return integer(0) + integer(len(payload) + 1) + integer(0) + payload


class Capsules:
    """Capsules read so far; passes on the payloads of context 0."""

    def __init__(self, receive):
        self.receive = receive
        self.bytes = b""

    def feed(self, data):
        self.bytes += data
        while True:
            offset, numbers = 0, []
            for _ in range(2):
                if offset >= len(self.bytes):
                    return
                size = 1 << (self.bytes[offset] >> 6)
                if offset + size > len(self.bytes):
                    return
                mask = (1 << (size * 8 - 2)) - 1
                numbers.append(int.from_bytes(self.bytes[offset:offset + size], "big") & mask)
                offset += size
            kind, length = numbers
            if offset + length > len(self.bytes):
                return
            value, self.bytes = self.bytes[offset:offset + length], self.bytes[offset + length:]
            if kind == 0 and value[0] == 0:
                self.receive(value[1:])


class Http1Tunnel:
    """Tunnel that is a connection of HTTP/1.1."""

    def __init__(self, options, receive):
        self.options = options
        self.capsules = Capsules(receive)
        self.writer = None

    async def open(self):
        host, port = self.options.proxy
        reader, self.writer = await asyncio.open_connection(host, port)
        fields = "".join(f"{name}: {value}\r\n" for name, value in self.options.fields)
        self.writer.write(
            f"GET {self.options.path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
            f"Upgrade: connect-udp\r\nCapsule-Protocol: ?1\r\n{fields}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101 "):
            raise SystemExit(head.decode("latin-1"))
        asyncio.create_task(self.read(reader))

    async def read(self, reader):
        while data := await reader.read(65536):
            self.capsules.feed(data)

    def send(self, payload):
        self.writer.write(capsule(payload))


class Http2Tunnel(asyncio.Protocol):
    """Tunnel that is a stream of HTTP/2 by prior knowledge."""

    def __init__(self, options, receive):
        self.options = options
        self.capsules = Capsules(receive)
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.opened = asyncio.get_running_loop().create_future()
        self.waiting = b""

    async def open(self):
        host, port = self.options.proxy
        self.transport, _ = await asyncio.get_running_loop().create_connection(lambda: self, host, port)
        await self.opened

    def connection_made(self, transport):
        self.h2.initiate_connection()
        transport.write(self.h2.data_to_send())

    def data_received(self, data):
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.RemoteSettingsChanged) and not self.opened.done():
                self.ask(event)
            elif isinstance(event, h2.events.ResponseReceived):
                status = dict(event.headers)[b":status"]
                if status != b"200":
                    raise SystemExit(f"status {status}")
                self.opened.set_result(None)
            elif isinstance(event, h2.events.DataReceived):
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                self.capsules.feed(event.data)
        self.flush()

    def ask(self, settings):
        if 8 not in settings.changed_settings:
            raise SystemExit("the proxy did not send SETTINGS_ENABLE_CONNECT_PROTOCOL")
        host, port = self.options.proxy
        self.h2.send_headers(1, [
            (":method", "CONNECT"), (":protocol", "connect-udp"), (":scheme", "http"),
            (":authority", f"{host}:{port}"), (":path", self.options.path), ("capsule-protocol", "?1"),
            *((name.lower(), value) for name, value in self.options.fields)])

    def send(self, payload):
        self.waiting += capsule(payload)
        self.flush()

    def flush(self):
        while self.waiting and self.opened.done():
            n = min(len(self.waiting), self.h2.local_flow_control_window(1), self.h2.max_outbound_frame_size)
            if n <= 0:
                break
            self.h2.send_data(1, self.waiting[:n])
            self.waiting = self.waiting[n:]
        self.transport.write(self.h2.data_to_send()) if hasattr(self, "transport") else None


class Port(asyncio.DatagramProtocol):
    """The UDP port."""

    def __init__(self, options):
        self.options = options
        self.tunnels = {}

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, sender):
        tunnel = self.tunnels.get(sender)
        if tunnel is None:
            kind = Http2Tunnel if self.options.http2 else Http1Tunnel
            tunnel = kind(self.options, lambda payload: self.transport.sendto(payload, sender))
            self.tunnels[sender] = asyncio.create_task(self.opened(tunnel))
            tunnel = self.tunnels[sender]
        tunnel.add_done_callback(lambda done: done.result().send(data))

    @staticmethod
    async def opened(tunnel):
        await tunnel.open()
        return tunnel


def address(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--proxy", type=address, required=True)
    parser.add_argument("--target", type=address, required=True)
    parser.add_argument("--http2", action="store_true")
    parser.add_argument("--token", help="value of PrivateToken, as mint prints it")
    options = parser.parse_args()
    host, port = options.target
    options.path = f"/.well-known/masque/udp/{urllib.parse.quote(host, safe='')}/{port}/"
    options.fields = [("Proxy-Authorization", f'PrivateToken token="{options.token}"')] if options.token else []
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: Port(options), local_addr=("127.0.0.1", 0))
    print(transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
