package dev.postern.auth.issue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which challenges a client of issuers takes. */
class TokenClientTest {

    @Test
    void choosesTheFirstChallengeOfAKnownType() {
        ChallengeField grease = challenge(0x0000);
        ChallengeField foreign = challenge(0xda7a);
        ChallengeField broken = new ChallengeField(new byte[3], null, -1);
        ChallengeField voprf = challenge(1);
        ChallengeField rsa = challenge(2);

        assertThat(TokenClient.first(List.of(grease, broken, foreign, voprf, rsa)))
                .isSameAs(voprf);
        assertThat(TokenClient.first(List.of(foreign, rsa, voprf))).isSameAs(rsa);
        assertThat(TokenClient.first(List.of(grease, foreign, broken))).isNull();
        assertThat(TokenClient.first(List.of())).isNull();
    }

    @Test
    void ignoresChallengesOfAnotherType() {
        byte[] foreign = new TokenChallenge(0xda7a, "issuer.example", new byte[0], "").encode();

        try (TokenClient client = new TokenClient(InstantSource.system(), null)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.fetch(new ChallengeField(foreign, null, -1)))
                    .withMessageContaining("type 55930 (expected: one of token type 1, 2)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.fetch(new ChallengeField(new byte[3], null, -1)));
        }
    }

    private static ChallengeField challenge(int type) {
        return new ChallengeField(new TokenChallenge(type, "issuer.example", new byte[0], "").encode(), null, -1);
    }
}
