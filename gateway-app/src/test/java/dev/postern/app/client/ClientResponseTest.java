package dev.postern.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientResponseTest {

    private static final String GREASE = challenge(0xDA42, "grease.example");
    private static final String FOREIGN = challenge(0xDA7A, "foreign.example");
    private static final String VOPRF = challenge(1, "one.example");
    private static final String RSA = challenge(2, "two.example");

    @Test
    void respondsToTheFirstChallengeOfAKnownType() throws IOException {
        assertThat(issuer(GREASE, FOREIGN, RSA, VOPRF)).isEqualTo("two.example");
        assertThat(issuer(GREASE + ", " + VOPRF, RSA)).isEqualTo("one.example");
        assertThat(issuer("Basic realm=\"a, b\"", "Digest nonce=x, " + FOREIGN + ", " + RSA))
                .isEqualTo("two.example");
    }

    @Test
    void namesKnownTypesWithoutAMatchingChallenge() {
        assertThatThrownBy(() -> issuer(GREASE, FOREIGN, "Basic realm=x"))
                .isInstanceOf(IOException.class)
                .hasMessage("response: 401 with 2 PrivateToken challenges"
                        + " (expected: 401 or 407 with one of token type 1, 2)");
        assertThatThrownBy(ClientResponseTest::issuer).isInstanceOf(IOException.class);
    }

    private static String issuer(String... fields) throws IOException {
        ClientResponse response = new ClientResponse(401, Map.of("www-authenticate", List.of(fields)), "");
        TokenChallenge challenge = TokenChallenge.decode(response.challenge().challenge());
        assertThat(challenge).isNotNull();
        return challenge.issuerName();
    }

    private static String challenge(int type, String issuer) {
        byte[] encoded = new TokenChallenge(type, issuer, new byte[32], "site.example").encode();
        return ChallengeField.text(encoded, new byte[8], 60);
    }
}
