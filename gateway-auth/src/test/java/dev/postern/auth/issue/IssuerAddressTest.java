package dev.postern.auth.issue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerAddressTest {

    @ParameterizedTest
    @CsvSource({
        "issuer.example,https://issuer.example",
        "issuer.example:8443,https://issuer.example:8443",
        "localhost:9999,http://localhost:9999",
        "127.0.0.1:9999,http://127.0.0.1:9999",
        "[::1]:9999,http://[::1]:9999",
        "localhost,https://localhost",
        "[::1],https://[::1]",
        "127.0.0.1.evil.example:80,https://127.0.0.1.evil.example:80",
        "localhost.example:9999,https://localhost.example:9999"
    })
    void usesHttpsExceptOnLoopback(String name, String base) {
        assertThat(TokenClient.IssuerAddress.directory(name))
                .hasToString(base + "/.well-known/private-token-issuer-directory");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user@issuer.example",
                "issuer.example/path",
                "issuer.example?x=",
                "issuer.example#",
                "a b",
                "",
                ":80",
                "http://issuer.example"
            })
    void refusesInvalidNames(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenClient.IssuerAddress.directory(name))
                .withMessageContaining("expected: host or host:port");
    }

    @Test
    void refusesTooLongNamesWithAShortMessage() {
        String longest = "a".repeat(253) + ":65535";

        assertThat(TokenClient.IssuerAddress.directory(longest))
                .hasHost("a".repeat(253))
                .hasPort(65535);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenClient.IssuerAddress.directory("a" + longest))
                .withMessage("issuer-name: 260 characters (expected: host or host:port)");
    }
}
