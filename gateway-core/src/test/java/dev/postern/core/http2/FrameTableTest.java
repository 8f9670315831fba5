package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.Refusal;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import dev.postern.core.testing.TestResponse;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the rules of {@link FrameTable} and {@link RequestTable} against a connection in memory, whose exchanges are answered when their body is complete. */
@ExtendWith(LeakExtension.class)
class FrameTableTest {

    private final ServerChannel server = new ServerChannel().answer(this::answer);
    private final FrameClient client = server.client();
    private int completed;

    @AfterEach
    void close() {
        server.close();
    }

    private void answer(Exchange exchange) {
        Refusal fault = exchange.fault();
        if (fault != null) {
            exchange.refuse(fault);
            return;
        }
        exchange.body().read(new Origin(exchange));
    }

    static List<FrameTable.Row> frames() {
        return FrameTable.frames();
    }

    /** Returns all but the methods that a stage refuses. */
    static List<FrameTable.Row> requests() {
        return RequestTable.all().stream()
                .filter(row -> !row.outcome().equals("405"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource
    void frames(FrameTable.Row row) {
        row.client().accept(client.greet());

        assertThat(client.outcome(row.stream())).isEqualTo(row.outcome());
    }

    @ParameterizedTest
    @MethodSource
    void requests(FrameTable.Row row) {
        row.client().accept(client.greet());

        assertThat(client.outcome(row.stream())).isEqualTo(row.outcome());
        assertThat(client.outcome(0)).as("the connection").isEqualTo("ALIVE");
        assertThat(completed).isEqualTo(row.outcome().equals("200") ? 1 : 0);
    }

    @Test
    void requiresSettingsFirst() {
        client.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThat(client.outcome(0)).isEqualTo("GOAWAY PROTOCOL_ERROR");
        assertThat(client.closedByPeer()).isTrue();
    }

    /** Reader that responds to a complete body, unless the request is to be held. */
    private final class Origin implements RequestBody.Reader {

        private final Exchange exchange;

        Origin(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void data(ByteBuf data) {
            data.release();
        }

        @Override
        public void end() {
            if (!exchange.request().path().equals(FrameTable.HOLD)) {
                completed++;
                TestResponse.ok(exchange, "hello");
            }
        }

        @Override
        public void broken() {
            // the connection has refused or reset the stream
        }
    }
}
