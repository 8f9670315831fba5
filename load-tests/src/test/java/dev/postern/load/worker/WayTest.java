package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WayTest {
    @Test
    void splitsTheCommandIntoThreeWrites() {
        assertThat(writes(Way.NAGLE)).containsExactly("get ", "key", "\r\n");
        assertThat(writes(Way.NO_DELAY)).isEqualTo(writes(Way.NAGLE));
        assertThat(writes(Way.VERSION)).isEqualTo(writes(Way.NAGLE));
    }

    @Test
    void sendsTheSameBytesInOneWrite() {
        assertThat(writes(Way.ONE_WRITE)).containsExactly(String.join("", writes(Way.NAGLE)));
    }

    private static List<String> writes(Way way) {
        return way.writes("key").stream()
                .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                .toList();
    }
}
