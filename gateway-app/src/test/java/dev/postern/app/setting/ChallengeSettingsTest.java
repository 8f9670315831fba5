package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.TokenChallenge;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the keys below {@code routes[].challenge}, and the keys that depend on them. */
class ChallengeSettingsTest {

    private static final TokenMint OTHER = TokenMint.fresh();

    private static MemorySite withChallenge(String challenge, String... settings) {
        String issuers =
                "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"%s\"]}, {name: other.example, public-keys: [\"%s\"]}]"
                        .formatted(Site.MINT.publicKey(), OTHER.publicKey());
        return MemorySite.with(List.of("routes=[{upstream: app, challenge: " + challenge + "}]", issuers), settings);
    }

    @Test
    void challengesHaveTheIssuersOfTheRoute() {
        try (MemorySite site = withChallenge("{issuers: [other.example]}")) {
            TokenChallenge challenge = Site.decoded(site.challenge());
            assertThat(challenge.issuerName()).isEqualTo("other.example");
            assertThat(site.get("/").head().split("PrivateToken ")).hasSize(2);
            assertThat(site.redeem(Site.MINT.response(site.challenge()))).isEqualTo(401);
            assertThat(site.redeem(OTHER.response(site.challenge()))).isEqualTo(200);
        }
        assertThatThrownBy(() -> withChallenge("{issuers: [unknown.example]}"))
                .hasStackTraceContaining("routes.0.challenge.issuers.0: unknown.example (expected: ");
    }

    @Test
    void emptyContextNeedsALedgerThatRemembers() {
        try (MemorySite site = withChallenge("{context: empty}", "privacy-pass.ledger.when-forgotten=accept")) {
            String token = site.token();
            assertThat(site.redeem(token)).isEqualTo(200);
            assertThat(site.redeem(token)).isEqualTo(401);
        }
        assertThatThrownBy(() -> withChallenge("{context: empty}"))
                .hasStackTraceContaining("routes.0.challenge.context: empty (expected: a ledger that outlives");
    }
}
