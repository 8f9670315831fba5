package dev.postern.core.http1.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeepAliveHeaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout=5 | 5",
                "timeout=15, max=100 | 15",
                "max=100, Timeout=7 | 7",
                "max=100 | 0",
                "xtimeout=5 | 0",
                "timeout=-1 | 0",
                "timeout=99999999999999999999 | 0",
                "timeout= | 0",
            })
    void readsSeconds(String value, long seconds) {
        assertThat(KeepAliveHeader.timeout(value)).isEqualTo(seconds);
    }
}
