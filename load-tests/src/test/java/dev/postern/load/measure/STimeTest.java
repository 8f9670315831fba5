package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class STimeTest {
    /** Two clients at once, whose outputs are mixed. */
    private static final String RESUMED = """
            Collecting connection statistics for 1 seconds
            Collecting connection statistics for 1 seconds
            Now timing with session id reuse.
            starting
            rrNow timing with session id reuse.
            starting
            rrr

            3 connections in 0.04s; 75.00 connections/user sec, bytes read 3600
            3 connections in 2 real seconds, 1200 bytes read per connection


            2 connections in 0.03s; 66.00 connections/user sec, bytes read 2400
            2 connections in 1 real seconds, 1200 bytes read per connection
            """;

    private static final String FULL = RESUMED.replace("rrN", "**N").replace("rrr", "***");

    @Test
    void addsTheConnectionsOfAllClients() {
        assertThat(STime.parse(RESUMED, 2, true, 1024)).isEqualTo(5);
        assertThat(STime.parse(FULL, 2, false, 1024)).isEqualTo(5);
    }

    @Test
    void countsNoRunWithHandshakesOfTheOtherKind() {
        assertThatThrownBy(() -> STime.parse(RESUMED.replace("rrr", "r*r"), 2, true, 1024))
                .hasMessageContaining("1 full handshakes of 5 connections (expected: 0)");
        assertThatThrownBy(() -> STime.parse(FULL.replace("***", "**r"), 2, false, 1024))
                .hasMessageContaining("4 full handshakes of 5 connections (expected: 5)");
    }

    @Test
    void countsNoRunWithAClientThatFailed() {
        assertThatThrownBy(() -> STime.parse(RESUMED, 3, true, 1024))
                .hasMessageContaining("2 clients without error (expected: all 3)");
    }

    @Test
    void countsNoRunWithShortResponses() {
        assertThatThrownBy(() -> STime.parse(RESUMED, 2, true, 1201)).hasMessageContaining("1200 bytes read");
    }
}
