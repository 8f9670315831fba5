package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Eight bytes at a time find what one at a time would find, wherever it stands. */
class SwarSearchTest {

    private static final int LENGTH = 40;

    private static int firstLineFeed(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static int firstForbidden(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!HttpChars.value(bytes[i])) {
                return i;
            }
        }
        return to;
    }

    private static void same(byte[] bytes, int from, int to) {
        assertThat(SwarSearch.lineFeed(bytes, from, to)).isEqualTo(firstLineFeed(bytes, from, to));
        assertThat(SwarSearch.value(bytes, from, to)).isEqualTo(firstForbidden(bytes, from, to));
    }

    @Test
    void everyByteAtEveryPlace() {
        for (int b = 0; b < 256; b++) {
            for (int at = 0; at < LENGTH; at++) {
                byte[] bytes = new byte[LENGTH];
                Arrays.fill(bytes, (byte) 'a');
                bytes[at] = (byte) b;
                same(bytes, 1, LENGTH - 1);
            }
        }
    }

    @Test
    void manyAtOnce() {
        Random random = new Random(1);
        byte[] likely = {'\n', '\t', 0x7f, (byte) 0x80, (byte) 0xff, ' ', 'a', 0x0b, 0x1f, '!', (byte) 0x8a};
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[LENGTH];
            for (int i = 0; i < LENGTH; i++) {
                bytes[i] = random.nextInt(8) == 0 ? likely[random.nextInt(likely.length)] : (byte) 'x';
            }
            int from = random.nextInt(LENGTH);
            same(bytes, from, from + random.nextInt(LENGTH - from + 1));
        }
    }
}
