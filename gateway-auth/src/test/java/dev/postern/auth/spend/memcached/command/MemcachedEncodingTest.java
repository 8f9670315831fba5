package dev.postern.auth.spend.memcached.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.Redemption;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemcachedEncodingTest {

    private static final String LONG =
            "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789x";
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

    private final MemcachedEncoding encoding = new MemcachedEncoding("shop", () -> NOW);

    @Test
    void writesTheWholeAddInOneBuffer() {
        ByteBuffer bytes = ByteBuffer.allocate(encoding.longestAdd());
        byte[] random = "0123456789ab".getBytes(ISO_8859_1);

        encoding.add(bytes, new Redemption(new byte[16], NOW.plusSeconds(600)), random, 0x63646566);

        assertThat(text(bytes.flip())).isEqualTo("add shop:1:AAAAAAAAAAAAAAAAAAAAAA 0 602 16\r\n0123456789abcdef\r\n");
    }

    @Test
    void writesTheKeyInBase64url() {
        byte[] key = Base64.getUrlDecoder().decode("-_-_AbCdEfGhIjKlMnOpQw");

        assertThat(new String(encoding.of(key), ISO_8859_1)).isEqualTo("shop:1:-_-_AbCdEfGhIjKlMnOpQw");
    }

    @Test
    void writesARefund() {
        byte[] text = encoding.of(new byte[16]);

        assertThat(text(MemcachedEncoding.gets(text))).isEqualTo("gets shop:1:AAAAAAAAAAAAAAAAAAAAAA\r\n");
        assertThat(text(MemcachedEncoding.expire(text, 77)))
                .isEqualTo("cas shop:1:AAAAAAAAAAAAAAAAAAAAAA 0 2592001 0 77\r\n\r\n");
    }

    @Test
    void writesSecondsUpTo30DaysAndATimestampBeyond() {
        Duration month = Duration.ofDays(30);

        assertThat(expiry(Duration.ofMinutes(10))).isEqualTo(602);
        assertThat(expiry(month.minusSeconds(2))).isEqualTo(month.toSeconds());
        assertThat(expiry(month.minusSeconds(1))).isEqualTo(NOW.plus(month).getEpochSecond() + 1);
        assertThat(expiry(Duration.ofDays(60)))
                .isEqualTo(NOW.plus(Duration.ofDays(60)).getEpochSecond() + 2);
    }

    @Test
    void neverWritesAnExpiryInThePast() {
        assertThat(expiry(Duration.ofSeconds(-100))).isEqualTo(1);
        assertThat(expiry(Duration.ofDays(36_500))).isZero();
        assertThat(MemcachedEncoding.expiry(Instant.MAX, NOW.getEpochSecond())).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\r\nflush_all", "\u00e4", "\u007f", LONG})
    void refusesNamespacesThatBreakACommand(String namespace) {
        assertThatThrownBy(() -> new MemcachedEncoding(namespace, () -> NOW)).hasMessageStartingWith("namespace: ");
    }

    private static long expiry(Duration lifetime) {
        return MemcachedEncoding.expiry(NOW.plus(lifetime), NOW.getEpochSecond());
    }

    private static String text(ByteBuffer bytes) {
        return ISO_8859_1.decode(bytes).toString();
    }

    @Test
    void acceptsNamespacesUpToTheLimit() {
        String longest = LONG.substring(0, 100);
        for (String namespace : new String[] {"!", "~", longest}) {
            String key = new String(new MemcachedEncoding(namespace, () -> NOW).epoch(), ISO_8859_1);

            assertThat(key).isEqualTo(namespace + ":1:epoch");
        }
    }

    @ParameterizedTest
    @CsvSource({"-2, 1", "7, 9", "8, 10", "97, 99", "98, 100", "997, 999", "998, 1000"})
    void writesEachNumberOfDigits(long seconds, String expiry) {
        ByteBuffer bytes = ByteBuffer.allocate(encoding.longestAdd());

        encoding.add(bytes, new Redemption(new byte[16], NOW.plusSeconds(seconds)), new byte[12], 0);

        assertThat(text(bytes.flip())).startsWith("add shop:1:AAAAAAAAAAAAAAAAAAAAAA 0 " + expiry + " 16\r\n");
    }

    @Test
    void writesTimestampsUpTo31Bits() {
        Instant last = Instant.ofEpochSecond(Integer.MAX_VALUE - 2L);

        assertThat(MemcachedEncoding.expiry(last, NOW.getEpochSecond())).isEqualTo(Integer.MAX_VALUE);
        assertThat(MemcachedEncoding.expiry(last.plusSeconds(1), NOW.getEpochSecond()))
                .as("never")
                .isZero();
    }

    @Test
    void writesTheLongestAddIntoABufferOfItsLength() {
        MemcachedEncoding longest = new MemcachedEncoding(LONG.substring(0, 100), () -> NOW);
        ByteBuffer bytes = ByteBuffer.allocate(longest.longestAdd());

        longest.add(bytes, new Redemption(new byte[16], NOW.plus(Duration.ofDays(60))), new byte[12], -1);

        assertThat(bytes.position()).isEqualTo(4 + 103 + 22 + 3 + 10 + 5 + 18);
    }
}
