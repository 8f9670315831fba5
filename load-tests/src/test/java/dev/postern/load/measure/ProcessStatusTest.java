package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcessStatusTest {
    private static final String ROLLUP = """
            5581a000-7ffd3000 ---p 00000000 00:00 0                          [rollup]
            Rss:              123456 kB
            Pss:               99999 kB
            Pss_Anon:          88888 kB
            """;

    @Test
    void readsResidentMemoryInBytes() {
        assertThat(ProcessStatus.parse(ROLLUP)).isEqualTo(123_456L * 1024);
    }

    @Test
    void namesTheMissingField() {
        assertThatThrownBy(() -> ProcessStatus.parse("Pss: 1 kB\n")).hasMessageContaining("expected: a line such as");
    }

    @Test
    void readsThisProcess() {
        long self = ProcessHandle.current().pid();

        assertThat(ProcessStatus.resident(self)).isGreaterThan(1 << 20);
        assertThat(ProcessStatus.workThreads(self)).isGreaterThan(3);
    }
}
