package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteModeTest {
    @Test
    void splitsTheCommandIntoThreeWrites() {
        assertThat(writes(WriteMode.NAGLE)).containsExactly("get ", "key", "\r\n");
        assertThat(writes(WriteMode.NO_DELAY)).isEqualTo(writes(WriteMode.NAGLE));
        assertThat(writes(WriteMode.VERSION)).isEqualTo(writes(WriteMode.NAGLE));
    }

    @Test
    void sendsTheSameBytesInOneWrite() {
        assertThat(writes(WriteMode.ONE_WRITE)).containsExactly(String.join("", writes(WriteMode.NAGLE)));
    }

    private static List<String> writes(WriteMode mode) {
        return mode.writes("key").stream()
                .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                .toList();
    }
}
