package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.transport.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class NioTransportIT {

    @Test
    void worksWhereEpollIsMissing() {
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()), Transport.Kind.NIO);
                RawClient client = new RawClient(gateway.port());
                RawClient tunnel = new RawClient(gateway.forwardPort())) {
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(client.get("/").body()).isEqualTo("hello");
            tunnel.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
            assertThat(tunnel.readHead().status()).isEqualTo(200);
            assertThat(tunnel.get("/").body()).isEqualTo("hello");
            assertThat(tunnel.finish().closedByPeer()).isTrue();
        }
    }

    @Test
    void hasNoUnixSockets() {
        assertThatThrownBy(() -> new CoreGateway(Setup.of("unix:/run/app.sock"), Transport.Kind.NIO))
                .hasMessage(
                        "upstreams: app: endpoints: unix:/run/app.sock (expected: host:port, since the transport is nio"
                                + " and only epoll has Unix sockets)");
    }
}
