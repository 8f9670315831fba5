package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
    @Test
    void addsUserAndSystemTicksBehindAnAwkwardName() {
        String stat = "4711 (a (b) c) S 1 4711 4711 0 -1 4194560 1068 0 0 0 250 125 7 9 20 0 1 0 30 9000 800";

        assertThat(CpuTime.parse(stat)).isEqualTo(Duration.ofMillis(3750));
    }

    @Test
    void returnsZeroForAnEndedProcess() {
        assertThat(CpuTime.of(Long.MAX_VALUE)).isZero();
    }
}
