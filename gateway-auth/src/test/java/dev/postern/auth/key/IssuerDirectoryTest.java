package dev.postern.auth.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Base64.Encoder;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerDirectoryTest {

    private static final String KEY = TokenMint.shared().publicKey();
    private static final RsaKey NEXT = TokenMint.fresh().key();

    @Test
    void readsKeysInOrderAndSkipsOtherTypes() {
        IssuerDirectory directory = read("""
                {"issuer-request-uri": "/token-request", "more": {"a": [1]}, "token-keys": [
                  {"token-type": 3, "token-key": "AAAA"},
                  {"token-type": 55930, "token-key": "%s"},
                  {"token-type": 2, "token-key": "%s", "not-before": 1700000000, "x": 1}]}""".formatted(KEY, KEY));

        assertThat(directory.requestUri()).isEqualTo("/token-request");
        assertThat(directory.keys()).hasSize(1);
        assertThat(directory.keys().get(0).key().id())
                .isEqualTo(TokenMint.shared().key().id());
        assertThat(directory.keys().get(0).notBefore()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
    }

    @Test
    void acceptsKeysWithoutPadding() {
        assertThat(IssuerDirectory.bytes("Zm8")).isEqualTo("fo".getBytes(UTF_8));
        assertThat(IssuerDirectory.bytes("Zm8=\n")).isEqualTo("fo".getBytes(UTF_8));
    }

    @Test
    void prefersTheFirstKeyThatIsValid() {
        RsaKey next = TokenMint.fresh().key();
        IssuerDirectory directory =
                read(listed(entry(KEY, 2_000_000_000L), entry(Base64Url.encode(next.encoded()), 1)));

        assertThat(directory.preferred(TokenType.BLIND_RSA, Instant.ofEpochSecond(1_900_000_000)))
                .hasToString(next.toString());
        assertThat(directory.preferred(TokenType.BLIND_RSA, Instant.ofEpochSecond(2_000_000_000)))
                .hasToString(TokenMint.shared().key().toString());
        assertThat(directory.preferred(TokenType.BLIND_RSA, Instant.EPOCH)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "42",
                "{",
                "<html>",
                "{}",
                "{\"issuer-request-uri\": \"/\"}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": {}}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": null}",
                "{\"issuer-request-uri\": \"/\", \"issuer-request-uri\": \"/x\", \"token-keys\": []}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": []} []",
                "{\"token-keys\": [], \"token-keys\": []}",
                "{\"token-keys\": [{}",
                "{\"token-keys\": [{}, ]}",
                "{\"token-keys\": []"
            })
    void refusesInvalidDirectories(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(json)).withMessageContaining("expected: ");
    }

    /** Each entry that cannot be used, and the reason. */
    static Stream<Arguments> odd() {
        String long_ = "9".repeat(300);
        return Stream.of(
                Arguments.of("7", "token-type: MISSING"),
                Arguments.of("null", "token-type: MISSING"),
                Arguments.of("[]", "token-type: MISSING"),
                Arguments.of("{\"token-type\":\"2\",\"token-key\":\"AAAA\"}", "token-type: STRING"),
                Arguments.of("{\"token-type\":2.5,\"token-key\":\"AAAA\"}", "a whole number"),
                Arguments.of("{\"token-type\":null,\"token-key\":\"AAAA\"}", "token-type: NULL"),
                Arguments.of("{\"token-type\":2}", "token-key: MISSING"),
                Arguments.of("{\"token-type\":2,\"token-key\":[1]}", "token-key: ARRAY"),
                Arguments.of(entry("", 0), "algorithm: nothing"),
                Arguments.of(entry("AAAA", 0), "algorithm: 000000"),
                Arguments.of(entry("A", 0), "1 characters (expected: base64url)"),
                Arguments.of(entry(KEY + "=", 0), "characters (expected: base64url)"),
                Arguments.of(entry(KEY.replace('M', '*'), 0), "characters (expected: base64url)"),
                Arguments.of(entry(Base64Url.encode(new byte[342]), 0), "algorithm: 000000"),
                Arguments.of(dated("\"1700000000\""), "not-before: STRING"),
                Arguments.of(dated("\"soon\""), "not-before: STRING"),
                Arguments.of(dated("true"), "not-before: BOOLEAN"),
                Arguments.of(dated("[]"), "not-before: ARRAY"),
                Arguments.of(dated("{}"), "not-before: OBJECT"),
                Arguments.of(dated("1.5e300"), "not-before: 1.5E300 (expected: a number, seconds since 1970)"),
                Arguments.of(dated("999999999999999"), "not-before: 999999999999999"),
                Arguments.of(dated(long_), "not-before: 300 characters"),
                Arguments.of(dated("1e400"), "not-before: "),
                Arguments.of(dated("9".repeat(20_000)), "bytes (expected: each name once"),
                Arguments.of(dated("0." + "1".repeat(20_000)), "bytes (expected: each name once"),
                Arguments.of(dated("5,\"not-before\":6"), "bytes (expected: each name once"),
                Arguments.of(dated("5,\"token-key\":\"AAAA\""), "bytes (expected: each name once"),
                Arguments.of(dated("5,\"x\":[{\"a\":1,\"a\":2}]"), "bytes (expected: each name once"),
                Arguments.of(dated("5,\"" + "n".repeat(60_000) + "\":6"), "bytes (expected: each name once"));
    }

    @ParameterizedTest
    @MethodSource("odd")
    void skipsAnOddEntryAndKeepsTheOthers(String entry, String reason) {
        String next = Base64Url.encode(NEXT.encoded());

        IssuerDirectory directory =
                read(listed(entry(next, 5), entry, "{\"token-type\":3,\"token-key\":7}", entry(KEY, 0)));

        assertThat(directory.keys())
                .extracting(listed -> listed.key().id())
                .containsExactly(NEXT.id(), TokenMint.shared().key().id());
        assertThat(directory.skipped().get(0).part()).isEqualTo("token-keys[1]");
        assertThat(directory.skipped().get(0).reason()).contains(reason).contains("expected: ");
        assertThat(directory.requestUri()).isEqualTo("/token-request");
    }

    @ParameterizedTest
    @CsvSource({
        "null, 1970-01-01T00:00:00Z",
        "0, 1970-01-01T00:00:00Z",
        "-1, 1970-01-01T00:00:00Z",
        "-1e300, 1970-01-01T00:00:00Z",
        "1700000000, 2023-11-14T22:13:20Z",
        "1700000000.25, 2023-11-14T22:13:20.250Z",
        "1.7e9, 2023-11-14T22:13:20Z",
        "1700000000250, 2023-11-14T22:13:20.250Z",
        "253402300799, 9999-12-31T23:59:59Z",
        "253402300799000, 9999-12-31T23:59:59Z"
    })
    void readsTimesInSecondsAndThoseOfOldDraftsInMilliseconds(String notBefore, Instant expected) {
        IssuerDirectory directory = read(listed(dated(notBefore)));

        assertThat(directory.skipped()).isEmpty();
        assertThat(directory.keys().get(0).notBefore()).isEqualTo(expected);
    }

    @Test
    void readsBothAlphabetsWithAndWithoutPadding() {
        byte[] key = TokenMint.shared().key().encoded();
        for (Encoder encoder : List.of(
                Base64.getUrlEncoder(),
                Base64.getEncoder(),
                Base64.getUrlEncoder().withoutPadding(),
                Base64.getEncoder().withoutPadding())) {
            IssuerDirectory directory = read(listed(entry(encoder.encodeToString(key), 0)));

            assertThat(directory.keys().get(0).key().encoded()).isEqualTo(key);
        }
    }

    @Test
    void readsBase64WithLineBreaks() {
        String lines = Base64.getMimeEncoder()
                .encodeToString(TokenMint.shared().key().encoded())
                .replace("\r\n", "\\r\\n");

        assertThat(read(listed(entry(lines, 0))).keys()).hasSize(1);
    }

    @Test
    void findsEntriesBehindAByteOrderMarkAndForeignLetters() {
        IssuerDirectory directory = read("\ufeff {\"name\": \"\u00fc\u20ac\ud83d\ude00\", \"token-keys\" : [ null ,\n"
                + entry(KEY, 5) + " , {} ] , \"issuer-request-uri\": \"/\u00fc\"}");

        assertThat(directory.keys()).hasSize(1);
        assertThat(directory.requestUri()).isEqualTo("/\u00fc");
        assertThat(directory.skipped())
                .extracting(IssuerDirectory.Skipped::part)
                .containsExactly("token-keys[0]", "token-keys[2]");
    }

    @Test
    void refusesAnotherEncoding() {
        byte[] json = listed(entry(KEY, 0)).getBytes(StandardCharsets.UTF_16LE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> IssuerDirectory.read(json))
                .withMessageContaining("expected: ");
    }

    @Test
    void listsAKeyOnceAndReadsWholeNumbers() {
        IssuerDirectory directory =
                read(listed(entry(KEY, 5), entry(KEY, 9), "{\"token-type\":2.0,\"token-key\":\"" + KEY + "\"}"));

        assertThat(directory.skipped()).isEmpty();
        assertThat(directory.keys()).hasSize(1);
        assertThat(directory.keys().get(0).notBefore()).isEqualTo(Instant.ofEpochSecond(5));
    }

    /** Other implementations ignore the algorithm of a listed key; the id is that of the bytes in the directory. */
    @Test
    void readsAKeyWithRsaEncryption() {
        byte[] key = RsaKeyTest.rsaEncryption();

        IssuerKey read =
                read(listed(entry(Base64Url.encode(key), 0))).keys().get(0).key();

        assertThat(read.id())
                .isEqualTo(TokenChallenge.sha256(key))
                .isNotEqualTo(TokenMint.shared().key().id());
        assertThat(((RsaKey) read).modulus()).isEqualTo(TokenMint.shared().key().modulus());
        assertThatIllegalArgumentException().isThrownBy(() -> StaticKeys.read(Base64Url.encode(key)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "request", "?of=1", "//other.example/request", "HTTPS://other.example", "http://[::1]:80/a"
            })
    void acceptsAbsoluteAndRelativeAddresses(String address) {
        assertThat(read(directoryWithAddress(address)).requestUri()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/a b",
                "http://[::",
                "http:",
                "http:/a",
                "mailto:a@b.example",
                "ftp://b.example/",
                "//a_b",
                "%",
                "\u00a0"
            })
    void skipsInvalidAddressesWithAShortMessage(String address) {
        IssuerDirectory directory = read(directoryWithAddress(address));

        assertThat(directory.requestUri()).isEmpty();
        assertThat(directory.skipped().get(0).toString())
                .isEqualTo("issuer-request-uri: " + address.length()
                        + " characters (expected: an http or https address, absolute or relative to the directory)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"issuer-request-uri\": null,", "\"issuer-request-uri\": 7,"})
    void keepsKeysWithoutAnAddress(String address) {
        IssuerDirectory directory = read("{" + address + "\"token-keys\":[" + entry(KEY, 0) + "]}");

        assertThat(directory.keys()).hasSize(1);
        assertThat(directory.skipped().get(0).part()).isEqualTo("issuer-request-uri");
    }

    @Test
    void skipsTooLongAddressesQuickly() {
        assertThat(read(directoryWithAddress("/".repeat(8000))).requestUri()).hasSize(8000);
        assertThat(read(directoryWithAddress("/".repeat(8001))).skipped().get(0).reason())
                .startsWith("8001 characters");
    }

    @Test
    void readsTheFirst256Entries() {
        List<String> entries = new ArrayList<>(Collections.nCopies(255, "{}"));
        entries.add(entry(KEY, 0));
        entries.add(entry(Base64Url.encode(NEXT.encoded()), 0));

        IssuerDirectory directory = read(listed(String.join(",", entries)));

        assertThat(directory.keys()).hasSize(1);
        assertThat(directory.skipped()).hasSize(256);
        assertThat(directory.skipped().get(255).toString())
                .isEqualTo("token-keys: 257 entries (expected: 256 at most, others are not read)");
    }

    private static String directoryWithAddress(String address) {
        return "{\"issuer-request-uri\":\"" + address + "\",\"token-keys\":[]}";
    }

    static String listed(String... entries) {
        return "{\"issuer-request-uri\":\"/token-request\",\"token-keys\":[" + String.join(",", List.of(entries))
                + "]}";
    }

    /** Returns an entry with the shared key. */
    private static String dated(String notBefore) {
        return "{\"token-type\":2,\"token-key\":\"" + KEY + "\",\"not-before\":" + notBefore + "}";
    }

    static String entry(String key, long notBefore) {
        return "{\"token-type\":2,\"token-key\":\"" + key + "\",\"not-before\":" + notBefore + "}";
    }

    private static IssuerDirectory read(String json) {
        return IssuerDirectory.read(json.getBytes(UTF_8));
    }
}
