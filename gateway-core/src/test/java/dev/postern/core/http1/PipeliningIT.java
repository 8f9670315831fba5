package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
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

    private static String post(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi";
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
    void forwardsAnUnsafeRequestAloneAfterAllEarlierResponses() {
        client.send(get("/1") + post("/2") + get("/3"));
        Line one = expect("GET /1");
        awaitEventLoop(); // neither /2 nor /3 arrived before this one
        one.ok("1");
        assertThat(client.read().body()).isEqualTo("1");
        assertThat(one.readHead()).startsWith("POST /2 "); // over the connection that is free again
        assertThat(one.read(2)).isEqualTo("hi");
        awaitEventLoop();
        one.ok("2");
        assertThat(client.read().body()).isEqualTo("2");
        assertThat(one.readHead()).startsWith("GET /3 ");
        one.ok("3");
        assertThat(client.read().body()).isEqualTo("3");
    }

    @Test
    void forwardsNoMoreThanTheDepthAtOnce() {
        StringBuilder many = new StringBuilder();
        for (int i = 1; i <= 10; i++) {
            many.append(get("/" + i));
        }
        client.send(many.toString());
        Line first = expect("GET /1");
        for (int i = 2; i <= 8; i++) {
            expect("GET /" + i).ok("" + i);
        }
        awaitEventLoop();
        first.ok("1");
        for (int i = 1; i <= 8; i++) {
            assertThat(client.read().body()).isEqualTo("" + i);
        }
        // The other two were forwarded once the queue permitted it, over connections that were free again.
        await().until(() -> gateway.upstream().idle() < 8);
        assertThat(gateway.ended().stream().filter(e -> e.outcome().forwarded()))
                .hasSize(8);
    }

    @Test
    void sendsARefusalInOrder() {
        client.send(get("/1") + "TRACE /2 HTTP/1.1\r\nHost: h\r\n\r\n" + get("/3"));
        Line one = expect("GET /1");
        Line three = expect("GET /3");
        three.ok("3");
        one.ok("1");
        assertThat(client.read().body()).isEqualTo("1");
        assertThat(client.read().status()).isEqualTo(405);
        assertThat(client.read().body()).isEqualTo("3");
    }

    @Test
    void ignoresRequestsAfterConnectionClose() {
        client.send(get("/1") + "GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + get("/3"));
        expect("GET /1").ok("1");
        expect("GET /2").ok("2");
        assertThat(client.read().body()).isEqualTo("1");
        Response last = client.read();
        assertThat(last.body()).isEqualTo("2");
        assertThat(last.field("Connection")).isEqualTo("close");
        assertThat(client.closedByPeer()).isTrue();
        await().until(() -> gateway.ended().size() == 2);
    }

    @Test
    void continuesAfterAnUpstreamFailure() {
        client.send(get("/1") + get("/2") + get("/3"));
        Line one = expect("GET /1");
        Line two = expect("GET /2");
        Line three = expect("GET /3");
        two.close();
        three.ok("3");
        awaitEventLoop();
        one.ok("1");
        assertThat(client.read().body()).isEqualTo("1");
        assertThat(client.read().status()).isEqualTo(502);
        assertThat(client.read().body()).isEqualTo("3");
    }

    @Test
    void closesAfterATruncatedResponse() {
        client.send(get("/1") + get("/2"));
        Line one = expect("GET /1");
        expect("GET /2").ok("2");
        one.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").close();
        assertThat(client.readBytes(100_000)).endsWith("half");
        await().until(() -> gateway.ended().size() == 2);
        assertThat(gateway.ended()).allMatch(e -> e.outcome().cut());
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

    @Test
    void respondsToRequestsThatWaitForEarlierResponses() {
        try (RawClient patient = new RawClient(gateway.port())) {
            patient.send(get("/1"));
            Line line = expect("GET /1");
            line.ok("1");
            assertThat(patient.read().body()).isEqualTo("1");
            for (int i = 2; i < 50; i++) {
                patient.send(i % 3 == 0 ? post("/" + i) : get("/" + i));
                assertThat(line.readHead()).contains(" /" + i + " ");
                if (i % 3 == 0) {
                    line.read(2);
                }
                line.ok("" + i);
                assertThat(patient.read().body()).isEqualTo("" + i);
            }
        }
    }
}
