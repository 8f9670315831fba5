package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http2.ResponseTable.Row;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.UpstreamChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends the responses of {@link ResponseTable} to a connection in memory, frame by frame. */
@ExtendWith(LeakExtension.class)
class ResponseTableTest {

    private final UpstreamChannel upstream = new UpstreamChannel().accept();

    @AfterEach
    void close() {
        upstream.close();
    }

    static List<Row> rows() {
        return ResponseTable.all();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void holds(Row row) {
        upstream.get();
        row.server().accept(upstream.server());

        assertThat(outcome(upstream.events())).isEqualTo(row.outcome());
        assertThat(upstream.server().outcome(0)).isEqualTo(row.line());
        if (row.line().equals("ALIVE")) {
            upstream.events();
            upstream.get();
            upstream.server().headers(3, false, ":status", "200").data(3, true, "again");
            assertThat(upstream.events()).containsSubsequence("head 200", "again", "complete");
        }
    }

    /** Returns what a client gets of a response, as {@link ResponseTable} states it. */
    private static String outcome(List<String> events) {
        String status = "";
        for (String event : events) {
            if (event.startsWith("head ")) {
                status = event.substring(5);
            } else if (event.equals("complete")) {
                return status;
            } else if (event.startsWith("failed ")) {
                assertThat(event).containsAnyOf("upstream-malformed", "upstream-closed");
                return status.isEmpty() ? "502" : status + " RST INTERNAL_ERROR";
            }
        }
        return "nothing of " + events;
    }
}
