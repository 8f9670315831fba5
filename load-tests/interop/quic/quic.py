"""HTTP/3 with aioquic: a server of one page, and a client that fetches it.

    python3 quic.py serve CERTIFICATE KEY        prints its port
    python3 quic.py fetch PORT COUNT             fetches from that port on loopback, a new connection each time
"""

import asyncio
import ssl
import sys

from aioquic.asyncio import QuicConnectionProtocol, connect, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration

PAGE = b"hello through a tunnel\n" * 4000  # 92,000 bytes: many datagrams


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if self.http is None:
            self.http = H3Connection(self._quic)
        for done in self.http.handle_event(event):
            if isinstance(done, HeadersReceived):
                self.http.send_headers(done.stream_id, [(b":status", b"200")])
                self.http.send_data(done.stream_id, PAGE, end_stream=True)
                self.transmit()


class Client(QuicConnectionProtocol):
    http = None

    async def get(self):
        self.http = H3Connection(self._quic)
        self.body = b""
        self.whole = asyncio.get_running_loop().create_future()
        stream = self._quic.get_next_available_stream_id()
        self.http.send_headers(stream, [
            (b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"localhost"), (b":path", b"/")],
            end_stream=True)
        self.transmit()
        await asyncio.wait_for(self.whole, 20)
        return self.body

    def quic_event_received(self, event):
        for done in self.http.handle_event(event) if self.http else ():
            if isinstance(done, DataReceived):
                self.body += done.data
                if done.stream_ended and not self.whole.done():
                    self.whole.set_result(None)


async def serving(certificate, key):
    configuration = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN)
    configuration.load_cert_chain(certificate, key)
    server = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=Server)
    print(server._transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Event().wait()


async def fetch(port, count):
    whole = 0
    for _ in range(count):
        configuration = QuicConfiguration(
            is_client=True, alpn_protocols=H3_ALPN, server_name="localhost", verify_mode=ssl.CERT_NONE)
        try:
            async with connect("127.0.0.1", port, configuration=configuration, create_protocol=Client) as client:
                whole += await client.get() == PAGE
        except (ConnectionError, asyncio.TimeoutError) as failure:
            print("aioquic:", repr(failure), file=sys.stderr)
    print(f"aioquic: {whole} of {count}")
    return whole == count


if sys.argv[1] == "serve":
    asyncio.run(serving(sys.argv[2], sys.argv[3]))
else:
    sys.exit(0 if asyncio.run(fetch(int(sys.argv[2]), int(sys.argv[3]))) else 1)
