package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the search over eight bytes at a time with a search over single bytes. */
class SwarSearchTest {

    private static final int LENGTH = 40;

    private static int firstLineFeed(byte[] bytes, int from, int end) {
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static int firstForbidden(byte[] bytes, int from, int end) {
        for (int i = from; i < end; i++) {
            if (!HttpChars.value(bytes[i])) {
                return i;
            }
        }
        return end;
    }

    private static void assertSameResults(byte[] bytes, int from, int end) {
        assertThat(SwarSearch.lineFeed(bytes, from, end)).isEqualTo(firstLineFeed(bytes, from, end));
        assertThat(SwarSearch.value(bytes, from, end)).isEqualTo(firstForbidden(bytes, from, end));
    }

    @Test
    void everyByteAtEveryPosition() {
        for (int b = 0; b < 256; b++) {
            for (int offset = 0; offset < LENGTH; offset++) {
                byte[] bytes = new byte[LENGTH];
                Arrays.fill(bytes, (byte) 'a');
                bytes[offset] = (byte) b;
                assertSameResults(bytes, 1, LENGTH - 1);
            }
        }
    }

    @Test
    void randomBytes() {
        Random random = new Random(1);
        byte[] likely = {'\n', '\t', 0x7f, (byte) 0x80, (byte) 0xff, ' ', 'a', 0x0b, 0x1f, '!', (byte) 0x8a};
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[LENGTH];
            for (int i = 0; i < LENGTH; i++) {
                bytes[i] = random.nextInt(8) == 0 ? likely[random.nextInt(likely.length)] : (byte) 'x';
            }
            int from = random.nextInt(LENGTH);
            assertSameResults(bytes, from, from + random.nextInt(LENGTH - from + 1));
        }
    }
}
