package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.RawOrigin.Pouring;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests several requests at once on one connection: safe ones are forwarded concurrently, and responses keep the order of the requests. */
@ExtendWith(LeakExtension.class)
class PipeliningIT {

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));
    private final RawClient client = new RawClient(gateway.port());

    @AfterEach
    void close() {
        client.close();
        gateway.close();
        origin.close();
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    /** Accepts the next connection to the origin and checks its request line. */
    private Line expect(String line) {
        Line next = origin.accept();
        assertThat(next.readHead()).startsWith(line + " HTTP/1.1\r\n");
        return next;
    }

    /** Exchanges two requests with another client: then the gateway's only event loop has processed all bytes sent before. */
    private void awaitEventLoop() {
        try (RawClient other = new RawClient(gateway.port())) {
            for (int i = 0; i < 2; i++) {
                other.send("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(other.read().status()).isEqualTo(405);
            }
        }
    }

    @Test
    void forwardsSafeRequestsConcurrentlyAndRespondsInOrder() {
        client.send(get("/1") + get("/2") + get("/3"));
        Line one = expect("GET /1");
        Line two = expect("GET /2");
        Line three = expect("GET /3");
        three.ok("3");
        two.ok("2");
        awaitEventLoop();
        one.ok("1");
        assertThat(client.read().body()).isEqualTo("1");
        assertThat(client.read().body()).isEqualTo("2");
        assertThat(client.read().body()).isEqualTo("3");
    }

    @Test
    void releasesAllUpstreamsWhenTheClientDisconnects() {
        client.send(get("/1") + get("/2") + get("/3"));
        Line one = expect("GET /1");
        Line two = expect("GET /2");
        Line three = expect("GET /3");
        two.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        client.reset();
        assertThat(one.closedByPeer()).isTrue();
        assertThat(two.closedByPeer()).isTrue();
        assertThat(three.closedByPeer()).isTrue();
        await().until(() -> gateway.ended().size() == 3);
    }

    @Test
    void buffersLittleOfAResponseThatMustWait() {
        int size = 96_000_000;
        client.send(get("/1") + get("/2"));
        Line one = expect("GET /1");
        Pouring second = expect("GET /2").pour(size);
        await().pollInterval(Duration.ofMillis(300)).until(second::stopped);
        assertThat(second.taken()).isLessThan(size / 2); // the capacity of the sockets between, and 64 KiB
        one.ok("1");
        assertThat(client.read().body()).isEqualTo("1");
        assertThat(client.read().body()).hasSize(size);
    }
}
