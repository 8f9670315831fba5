package dev.postern.core.http1.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the arrival, size and forwarded path of heads; refused heads are in {@code request-rules.txt}. */
@ExtendWith(LeakExtension.class)
class FramingTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/./b",
                "/a/x/../b",
                "//a///b",
                "/%61%2d",
                "/a%2fb",
                "/%7euser/",
                "/.hidden",
                "/a/..x;/b",
                "/?q=//../%2e",
                "/render/https://x?y=//z"
            })
    void forwardsThePathAsSent(String target) {
        try (RawClient client = gateway.client()) {
            assertThat(client.get(target).status()).isEqualTo(200);
        }
        assertThat(origin.received().get(origin.received().size() - 1).line()).isEqualTo("GET " + target + " HTTP/1.1");
    }

    @Test
    void refusesAHeadBeyondTheLimit() {
        try (RawClient client = gateway.client()) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: h\r\nX: " + "y".repeat(17_000))
                            .read()
                            .status())
                    .isEqualTo(431);
        }
        try (RawClient client = gateway.client()) {
            assertThat(client.send("GET /" + "y".repeat(17_000)).read().status())
                    .isEqualTo(414);
        }
    }

    @Test
    void respondsToHttp10() {
        try (RawClient client = gateway.client()) {
            RawClient.Response kept = client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost: h\r\n\r\n")
                    .read();
            assertThat(kept.field("Connection")).isEqualTo("keep-alive");
            RawClient.Response last =
                    client.send("GET / HTTP/1.0\r\nHost: h\r\n\r\n").read();
            assertThat(last.field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void acceptsAHeadByteByByte() {
        try (RawClient client = gateway.client()) {
            for (char c : "\r\nGET /slow HTTP/1.1\r\nHost: h\r\nX-Odd:\tv \r\n\r\n".toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertThat(client.read().status()).isEqualTo(200);
        }
        assertThat(origin.received().get(origin.received().size() - 1).field("X-Odd"))
                .isEqualTo("v");
    }
}
