package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests several requests at once on one connection: safe ones are forwarded concurrently, and responses keep the order of the requests. */
@ExtendWith(LeakExtension.class)
class PipeliningTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final RawClient client = gateway.client();

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    private static String post(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi";
    }

    /** Accepts the next connection to the origin and checks its request line. */
    private Line expect(String line) {
        Line next = gateway.accept();
        assertThat(next.readHead()).startsWith(line + " HTTP/1.1\r\n");
        return next;
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
        first.ok("1");
        for (int i = 1; i <= 8; i++) {
            assertThat(client.read().body()).isEqualTo("" + i);
        }
        // The other two were forwarded once the queue permitted it, over connections that were free again.
        assertThat(gateway.upstream().idle()).isLessThan(8);
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
        assertThat(gateway.ended()).hasSize(2);
    }

    @Test
    void continuesAfterAnUpstreamFailure() {
        client.send(get("/1") + get("/2") + get("/3"));
        Line one = expect("GET /1");
        Line two = expect("GET /2");
        Line three = expect("GET /3");
        two.close();
        three.ok("3");
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
        assertThat(gateway.ended()).hasSize(2);
        assertThat(gateway.ended()).allMatch(e -> e.outcome().cut());
    }

    @Test
    void respondsToRequestsThatWaitForEarlierResponses() {
        try (RawClient patient = gateway.client()) {
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

    @Test
    void forwardsSafeRequestsConcurrentlyAndRespondsInOrder() {
        client.send(get("/1") + get("/2") + get("/3"));
        Line one = expect("GET /1");
        Line two = expect("GET /2");
        Line three = expect("GET /3");
        three.ok("3");
        two.ok("2");
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
        assertThat(gateway.ended()).hasSize(3);
    }

    @Test
    void buffersLittleOfAResponseThatMustWait() {
        int size = 8_000_000;
        client.send(get("/1") + get("/2"));
        Line one = expect("GET /1");
        expect("GET /2").send("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n" + "x".repeat(size));
        assertThat(size - gateway.unread()).isLessThan(200_000); // 64 KiB, and a read
        one.ok("1");
        assertThat(client.read().body()).isEqualTo("1");
        assertThat(client.read().body()).hasSize(size);
    }
}
