package dev.postern.core.http1.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the arrival, size and forwarded path of heads; refused heads are in {@code request-rules.txt}. */
@ExtendWith(LeakExtension.class)
class FramingIT {

    private static TestOrigin origin;
    private static CoreGateway gateway;

    @BeforeAll
    static void start() {
        origin = new TestOrigin();
        gateway = new CoreGateway(Setup.of(origin.address()));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    @Test
    void acceptsAHeadByteByByte() {
        try (RawClient client = new RawClient(gateway.port())) {
            for (char c : "\r\nGET /slow HTTP/1.1\r\nHost: h\r\nX-Odd:\tv \r\n\r\n".toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertThat(client.read().status()).isEqualTo(200);
        }
        assertThat(origin.received().get(origin.received().size() - 1).field("X-Odd"))
                .isEqualTo("v");
    }
}
