package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentSegmentsTest {
    /** Three connections, of which the last one has sent no data. */
    private static final String OUTPUT = """
            0      0          127.0.0.1:40312      127.0.0.1:11211
            \t cubic wscale:7,7 rto:201 rtt:0.03/0.01 bytes_sent:900 segs_out:40 segs_in:39 data_segs_out:30 data_segs_in:10
            0      0          127.0.0.1:40314      127.0.0.1:11211
            \t cubic wscale:7,7 rto:201 bytes_sent:90 segs_out:5 segs_in:4 data_segs_out:3 data_segs_in:1 send 34Gbps
            0      0          127.0.0.1:40316      127.0.0.1:11211
            \t cubic wscale:7,7 rto:201 segs_out:2 segs_in:1 send 34Gbps
            """;

    @Test
    void addsTheSegmentsWithDataOfAllConnections() {
        assertThat(SentSegments.parse(OUTPUT)).isEqualTo(33);
    }

    @Test
    void countsNothingWithoutConnection() {
        assertThat(SentSegments.parse("")).isZero();
    }
}
