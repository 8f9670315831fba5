package dev.postern.auth.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.testing.Vectors;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class TokenChallengeTest {

    private static final HexFormat HEX = HexFormat.of();

    static List<JsonNode> vectors() {
        return Vectors.list("rfc9577/challenge-redemption.json");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void computesTheAuthenticatorInputsOfRfc9577(JsonNode vector) {
        byte[] input = Vectors.bytes(vector, "token_authenticator_input");
        if (!vector.has("issuer_name")) {
            assertThat(TokenType.isGrease(Token.typeOf(input))).isTrue();
            return;
        }
        TokenChallenge challenge = new TokenChallenge(
                Integer.parseInt(vector.path("token_type").asString(), 16),
                new String(Vectors.bytes(vector, "issuer_name"), java.nio.charset.StandardCharsets.US_ASCII),
                Vectors.bytes(vector, "redemption_context"),
                new String(Vectors.bytes(vector, "origin_info"), java.nio.charset.StandardCharsets.US_ASCII));
        Bytes32 keyId = Bytes32.at(Vectors.bytes(vector, "token_key_id"), 0);

        byte[] made = Token.signedPart(TokenType.BLIND_RSA, Vectors.bytes(vector, "nonce"), challenge.digest(), keyId);

        assertThat(made).isEqualTo(input);
        assertThat(TokenChallenge.decode(challenge.encode())).isEqualTo(challenge);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "0002",
                "000200",
                "00020000000000",
                "000200016100",
                "0002000161000000ff",
                "0002000161010000",
                "00020001610100ff0000",
                "000200016120ff0000",
                "00020001610000",
                "000200016100000161ff",
                "000200016100000120",
                "00020001610000017f",
                "0002000120000000",
                "00020001e9000000",
                "0002ffff61000000",
                "000200016100ffff61"
            })
    void refusesInvalidChallenges(String hex) {
        assertThat(TokenChallenge.decode(HEX.parseHex(hex))).isNull();
    }

    @Test
    void refusesContextsOfOtherLengths() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenChallenge(2, "i", new byte[16], ""))
                .withMessageContaining("redemption-context: 16 bytes (expected: 0 or 32)");
    }

    @Test
    void equalsChallengesWithTheSameFields() {
        TokenChallenge challenge = new TokenChallenge(2, "i", new byte[32], "a");
        byte[] other = new byte[32];
        other[31] = 1;

        assertThat(challenge)
                .isEqualTo(new TokenChallenge(2, "i", new byte[32], "a"))
                .hasSameHashCodeAs(new TokenChallenge(2, "i", new byte[32], "a"))
                .isNotEqualTo(new TokenChallenge(1, "i", new byte[32], "a"))
                .isNotEqualTo(new TokenChallenge(2, "j", new byte[32], "a"))
                .isNotEqualTo(new TokenChallenge(2, "i", new byte[0], "a"))
                .isNotEqualTo(new TokenChallenge(2, "i", other, "a"))
                .isNotEqualTo(new TokenChallenge(2, "i", new byte[32], "b"));
        assertThat(challenge.hashCode()).isNotEqualTo(new TokenChallenge(2, "i", other, "a").hashCode());
    }

    @Test
    void comparesOriginsIgnoringCase() {
        TokenChallenge challenge = new TokenChallenge(2, "i", new byte[0], "a.example,b.example:8443");

        assertThat(challenge.names("B.example:8443")).isTrue();
        assertThat(challenge.names("b.example")).isFalse();
        assertThat(challenge.names("a.example,b.example:8443")).isFalse();
        assertThat(new TokenChallenge(2, "i", new byte[0], "").names("any.example"))
                .isTrue();
    }
}
