package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WrkTest {
    private static final String OUTPUT = """
            Running 2s test @ http://127.0.0.1:38561/
              1 threads and 64 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency     2.71ms   11.77ms 171.30ms   97.31%
                Req/Sec    63.89k    13.31k   76.05k    84.21%
              Latency Distribution
                 50%  787.00us
                 75%    1.07ms
                 90%    1.66ms
                 99%   47.82ms
              120854 requests in 2.00s, 32.27MB read
            Requests/sec:  60349.16
            Transfer/sec:     16.12MB
            """;

    @Test
    void readsRequestsRateAndPercentilesInMicroseconds() {
        assertThat(Wrk.parse(OUTPUT)).isEqualTo(new LoadRun(120_854, 60_349.16, 787, 47_820));
    }

    @Test
    void countsNoRunWithRefusedRequests() {
        assertThatThrownBy(() -> Wrk.parse(OUTPUT + "  Non-2xx or 3xx responses: 12\n"))
                .hasMessageContaining("Non-2xx or 3xx responses: 12");
    }

    @Test
    void countsNoRunWithSocketErrors() {
        assertThatThrownBy(() -> Wrk.parse(OUTPUT + "  Socket errors: connect 0, read 3, write 0, timeout 0\n"))
                .hasMessageContaining("read 3");
    }

    @Test
    void countsARunWhereAllWereRefused() {
        assertThat(Wrk.parseRefused(OUTPUT + "  Non-2xx or 3xx responses: 120854\n")
                        .requests())
                .isEqualTo(120_854);
        assertThatThrownBy(() -> Wrk.parseRefused(OUTPUT + "  Non-2xx or 3xx responses: 120853\n"))
                .hasMessageContaining("all 120854");
        assertThatThrownBy(() -> Wrk.parseRefused(OUTPUT)).hasMessageContaining("Non-2xx");
    }

    @Test
    void sendsFieldsAsTheyAre() {
        assertThat(Wrk.options("Cookie: a=b; c=d", "X-A: 1")).containsExactly("-H", "Cookie: a=b; c=d", "-H", "X-A: 1");
    }
}
