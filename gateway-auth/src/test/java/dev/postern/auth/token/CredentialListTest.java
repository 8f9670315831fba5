package dev.postern.auth.token;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialListTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PrivateToken token=abc | ``",
                "privatetoken token=abc, extra=1 | ``",
                "Basic dXNlcg== | Basic dXNlcg==",
                "Basic dXNlcg==, PrivateToken token=abc | Basic dXNlcg==",
                "PrivateToken token=abc, Bearer x | Bearer x",
                "PrivateToken token=abc, extra=1, Bearer x, , y=2 | Bearer x, y=2"
            })
    void removesTokensAndTheirParameters(String value, String left) {
        assertThat(CredentialList.withoutTokens(value)).isEqualTo(left);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Digest realm=\"a, PrivateToken b\" | Digest realm=\"a, PrivateToken b\"",
                "Digest realm=\"a\\\", PrivateToken b\" | Digest realm=\"a\\\", PrivateToken b\"",
                "Digest realm=\"a\\\\\", PrivateToken b | Digest realm=\"a\\\\\"",
                "Digest realm=a\\, PrivateToken b | Digest realm=a\\",
                "Digest realm=a\\\"b, PrivateToken c\" | Digest realm=a\\\"b, PrivateToken c\""
            })
    void splitsAtCommasOutsideOfQuotedStringsOnly(String value, String left) {
        assertThat(CredentialList.withoutTokens(value)).isEqualTo(left);
    }
}
