package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http2.ResponseTable.Row;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends responses of {@link ResponseTable} frame by frame, the complete ones and one of each other outcome, and checks the client and the
 * upstream connection; {@link ResponseTableTest} has every row.
 */
@ExtendWith(LeakExtension.class)
class UpstreamFramesTest {

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));

    @AfterEach
    void close() {
        gateway.close();
    }

    static Collection<Row> rows() {
        Map<String, Row> first = new LinkedHashMap<>();
        for (Row row : ResponseTable.all()) {
            boolean complete = row.outcome().length() == 3 && !row.outcome().equals("502");
            first.putIfAbsent(complete ? row.toString() : row.outcome() + row.line(), row);
        }
        return first.values();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void holds(Row row) {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            row.server().accept(server);
            String outcome = client.outcome(1);
            // The client receives no head when the fault occurred before the head was sent.
            assertThat(outcome).isIn(row.outcome(), row.outcome().replaceFirst("^20. RST", "RST"));
            if (row.outcome().equals("502")) {
                assertThat(client.soFar(1).body()).containsAnyOf("upstream-malformed", "upstream-closed");
            }
            assertThat(server.outcome(0)).isEqualTo(row.line());
            if (row.line().equals("ALIVE")) {
                client.get(3, "/");
                server.await(HEADERS);
                server.headers(3, false, ":status", "200").data(3, true, "again");
                assertThat(client.response(3).body()).isEqualTo("again");
            }
        }
        assertThat(gateway.ended()).isNotEmpty();
    }
}
