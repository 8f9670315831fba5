package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs rules of {@link FrameTable} and {@link RequestTable} against a gateway, and verifies that the upstream receives nothing of refused
 * requests.
 */
@ExtendWith(LeakExtension.class)
class AbstractFrameListenerTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @BeforeEach
    void behave() {
        Behaviour hello = Behaviour.ok("hello");
        origin.behave((request, socket) -> {
            if (!request.line().contains(FrameTable.HOLD)) {
                hello.response(request, socket);
            }
        });
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    static Collection<FrameTable.Row> frames() {
        return firstOfEachOutcome(FrameTable.frames());
    }

    static Collection<FrameTable.Row> requests() {
        return firstOfEachOutcome(RequestTable.all());
    }

    /** Returns what an origin or a stage responds to, and one row of each other outcome; {@link FrameTableTest} has the other rows. */
    private static Collection<FrameTable.Row> firstOfEachOutcome(List<FrameTable.Row> rows) {
        Map<String, FrameTable.Row> first = new LinkedHashMap<>();
        for (FrameTable.Row row : rows) {
            boolean responded = row.outcome().equals("200") || row.outcome().equals("405");
            first.putIfAbsent(responded ? row.toString() : row.outcome(), row);
        }
        return first.values();
    }

    @ParameterizedTest
    @MethodSource
    void frames(FrameTable.Row row) {
        try (FrameClient client = gateway.client2()) {
            row.client().accept(client);

            assertThat(client.outcome(row.stream())).isEqualTo(row.outcome());
        }
    }

    @ParameterizedTest
    @MethodSource
    void requests(FrameTable.Row row) {
        int previous = complete();
        try (FrameClient client = gateway.client2()) {
            row.client().accept(client);

            assertThat(client.outcome(row.stream())).isEqualTo(row.outcome());
            assertThat(client.outcome(0)).as("the connection").isEqualTo("ALIVE");
        }
        assertThat(complete()).isEqualTo(previous + (row.outcome().equals("200") ? 1 : 0));
    }

    private int complete() {
        return (int) origin.received().stream()
                .filter(r -> !r.line().contains(FrameTable.HOLD))
                .count();
    }

    @Test
    void refusesAnAlmostCorrectPreface() {
        try (RawClient client = gateway.client()) {
            RawClient.Response response =
                    client.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n").read();

            assertThat(response.status()).isEqualTo(505);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void servesHttp1WithAMethodThatBeginsLikeThePreface() {
        try (RawClient client = gateway.client()) {
            client.send("P");
            client.send("R");
            assertThat(client.send("OPFIND / HTTP/1.1\r\nHost: h\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void acceptsThePrefaceByteByByte() {
        try (FrameClient client = gateway.silentClient2()) {
            byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            for (byte b : preface) {
                client.bytes(new byte[] {b});
            }
            client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(1, 0));

            assertThat(client.get(1, "/").response(1).status()).isEqualTo("200");
        }
    }

    @Test
    void requiresSettingsFirst() {
        try (FrameClient client = gateway.silentClient2()) {
            client.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

            assertThat(client.outcome(0)).isEqualTo("GOAWAY PROTOCOL_ERROR");
            assertThat(client.closedByPeer()).isTrue();
        }
    }
}
