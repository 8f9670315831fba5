package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that speak another protocol on a port of clear text: they get a readable error, and the gateway knows the protocol. */
@ExtendWith(LeakExtension.class)
class WrongProtocolTest {

    private static final String LINE = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
    private static final String BLOCK =
            new String(HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111000cc0000201c6336401dc0401bb"), ISO_8859_1);
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void assertCounted(Why reason) {
        assertThat(gateway.metrics().closed(reason)).isEqualTo(1);
        assertThat(gateway.connects()).isFalse();
    }

    @Test
    void aTlsHelloGetsItsResponseBeforeItIsComplete() {
        try (RawClient client = gateway.client()) {
            assertThat(client.send("\u0016").read().status()).isEqualTo(400);
            assertThat(client.closedByPeer()).isTrue();
        }
        assertCounted(Why.TLS_HELLO);
        assertThat(gateway.ended().get(0).outcome().reason()).isEqualTo("tls-hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {LINE, LINE + GET})
    void anUnexpectedProxyHeader(String sent) {
        try (RawClient client = gateway.client()) {
            RawClient.Response response = client.send(sent).read();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.field("Connection")).isEqualTo("close");
        }
        assertCounted(Why.PROXY_HEADER);
    }

    @Test
    void anUnexpectedBinaryProxyHeader() {
        try (RawClient client = gateway.client()) {
            assertThat(client.send(BLOCK + GET).read().status()).isEqualTo(400);
        }
        assertCounted(Why.PROXY_HEADER);
    }

    @Test
    void aProxyHeaderAfterTheFirstRequestIsNotCounted() {
        gateway.origin();
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.send(LINE).read().status()).isEqualTo(400);
        }
        assertThat(gateway.metrics().closed(Why.PROXY_HEADER)).isZero();
    }
}
