package dev.postern.auth.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenType;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerDirectoryTest {

    private static final String KEY = TokenMint.shared().publicKey();

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
                "{\"token-keys\": []}",
                "{\"issuer-request-uri\": \"/\"}",
                "{\"issuer-request-uri\": 7, \"token-keys\": []}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": {}}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": [7]}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": [{\"token-type\": \"2\", \"token-key\": \"AAAA\"}]}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": [{\"token-type\": 2}]}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": [{\"token-type\": 2, \"token-key\": \"A+/A\"}]}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": [{\"token-type\": 2, \"token-key\": \"AAAA\"}]}",
                "{\"issuer-request-uri\": \"/\", \"issuer-request-uri\": \"/x\", \"token-keys\": []}",
                "{\"issuer-request-uri\": \"/\", \"token-keys\": []} []"
            })
    void refusesInvalidDirectories(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(json)).withMessageContaining("expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "\"soon\"", "1e40", "1.5e300", "999999999999999", "null", "[]"})
    void refusesInvalidTimes(String notBefore) {
        String json = listed("{\"token-type\":2,\"token-key\":\"" + KEY + "\",\"not-before\":" + notBefore + "}");

        assertThatIllegalArgumentException().isThrownBy(() -> read(json));
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
    void refusesInvalidAddressesWithAShortMessage(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(directoryWithAddress(address)))
                .withMessage("issuer-request-uri: " + address.length()
                        + " characters (expected: an http or https address, absolute or relative to the directory)");
    }

    @Test
    void refusesTooLongAddressesQuickly() {
        assertThat(read(directoryWithAddress("/".repeat(8000))).requestUri()).hasSize(8000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(directoryWithAddress("/".repeat(8001))))
                .withMessageContaining("8001");
    }

    @Test
    void refusesTooManyKeys() {
        String json = listed(String.join(",", Collections.nCopies(257, entry(KEY, 0))));

        assertThatIllegalArgumentException().isThrownBy(() -> read(json)).withMessageContaining("256");
    }

    @Test
    void refusesADirectoryWithOneInvalidKey() {
        String bad = Base64Url.encode(new byte[342]);

        assertThatIllegalArgumentException().isThrownBy(() -> read(listed(entry(KEY, 0), entry(bad, 0))));
    }

    private static String directoryWithAddress(String address) {
        return "{\"issuer-request-uri\":\"" + address + "\",\"token-keys\":[]}";
    }

    static String listed(String... entries) {
        return "{\"issuer-request-uri\":\"/token-request\",\"token-keys\":[" + String.join(",", List.of(entries))
                + "]}";
    }

    static String entry(String key, long notBefore) {
        return "{\"token-type\":2,\"token-key\":\"" + key + "\",\"not-before\":" + notBefore + "}";
    }

    private static IssuerDirectory read(String json) {
        return IssuerDirectory.read(json.getBytes(UTF_8));
    }
}
