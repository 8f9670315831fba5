package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.transport.Transport;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the transports that are not used by default; {@code -Dtransport.kind=io_uring} runs all suites over one of them. */
@ExtendWith(LeakExtension.class)
class TransportIT {

    @ParameterizedTest
    @EnumSource(names = {"NIO", "IO_URING"})
    void servesAndTunnels(Transport.Kind kind) {
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()), kind);
                RawClient client = new RawClient(gateway.port());
                RawClient tunnel = new RawClient(gateway.forwardPort())) {
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(origin.connections()).isEqualTo(1);
            tunnel.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
            assertThat(tunnel.readHead().status()).isEqualTo(200);
            assertThat(tunnel.get("/").body()).isEqualTo("hello");
            assertThat(tunnel.finish().closedByPeer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "IO_URING"})
    void pausesTheFasterPeer(Transport.Kind kind) {
        String large = "x".repeat(3_000_000);
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()), kind);
                RawClient client = new RawClient(gateway.port())) {
            origin.behave((request, socket) -> Behaviour.ok(new String(request.body(), StandardCharsets.ISO_8859_1))
                    .response(request, socket));
            String put = "PUT /l HTTP/1.1\r\nHost: h\r\nContent-Length: " + large.length() + "\r\n\r\n" + large;
            assertThat(client.send(put).read().body()).hasSize(large.length());
            assertThat(client.send(put).read().body()).hasSize(large.length());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "IO_URING"})
    void detectsThatAnIdleServerCloses(Transport.Kind kind) {
        try (RawOrigin origin = new RawOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()), kind);
                RawClient client = new RawClient(gateway.port())) {
            for (String body : new String[] {"one", "two"}) {
                client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
                RawOrigin.Line line = origin.accept();
                line.readHead();
                line.ok(body);
                assertThat(client.read().body()).isEqualTo(body);
                line.finish();
                assertThat(line.closedByPeer()).isTrue();
            }
        }
    }

    @Test
    void nioHasNoUnixSockets() {
        assertThatThrownBy(() -> new CoreGateway(Setup.of("unix:/run/app.sock"), Transport.Kind.NIO))
                .hasMessage(
                        "upstreams: app: endpoints: unix:/run/app.sock (expected: host:port, since the transport is nio,"
                                + " which has no Unix sockets)");
    }
}
