package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.transport.Transport;
import io.netty.channel.ChannelException;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests a gateway without a descriptor for an upstream connection: it responds with its own error, and does not count a failure of the
 * upstream.
 */
@ExtendWith(LeakExtension.class)
class DescriptorExhaustionIT {

    private static final AtomicBoolean NONE = new AtomicBoolean(true);

    private final TestOrigin origin = new TestOrigin();

    /** Fails as Netty does when the kernel reports EMFILE. */
    public static final class Socket extends NioSocketChannel {

        public Socket() {
            if (NONE.get()) {
                throw new ChannelException("Failed to open a socket.", new IOException("Too many open files"));
            }
        }
    }

    private static Transport scarce(Transport any) {
        Transport nio = Transport.open(Transport.Kind.NIO);
        return new Transport(
                nio.name(),
                nio.why(),
                nio.loops(),
                nio.serverChannel(),
                Socket.class,
                nio.datagramChannel(),
                nio.unixChannel());
    }

    private Setup setup() {
        NONE.set(true);
        return Setup.of(origin.address()).transport(DescriptorExhaustionIT::scarce);
    }

    @AfterEach
    void close() {
        origin.close();
    }

    private static void assertOverloaded(CoreGateway gateway, Response response) {
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.body()).contains("overloaded");
        assertThat(gateway.ended())
                .allSatisfy(one -> assertThat(one.outcome().reason()).isEqualTo("descriptors"));
    }

    @Test
    void refusesAndRecovers() {
        try (CoreGateway gateway = new CoreGateway(setup());
                RawClient client = new RawClient(gateway.port())) {
            for (int i = 0; i < 20; i++) {
                assertOverloaded(gateway, client.get("/"));
            }
            NONE.set(false);
            assertThat(client.get("/").status()).isEqualTo(200); // no endpoint was ejected meanwhile
        }
    }

    @Test
    void refusesOverHttp2() {
        try (CoreGateway gateway = new CoreGateway(setup().toHttp2(null));
                RawClient client = new RawClient(gateway.port())) {
            assertOverloaded(gateway, client.get("/"));
        }
    }

    @Test
    void refusesOnForwardListeners() {
        try (CoreGateway gateway = new CoreGateway(setup());
                RawClient client = new RawClient(gateway.forwardPort())) {
            String host = origin.address();
            assertOverloaded(
                    gateway,
                    client.send("GET http://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .read());
            assertOverloaded(
                    gateway,
                    client.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .read());
        }
    }
}
