package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.core.testing.ServerProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests how long tokens without context pass, with an issuer and a store. */
class ChallengeSettingsIT {

    private static final TokenMint OTHER = TokenMint.fresh();

    private static Site withChallenge(String challenge, String... settings) {
        String issuers =
                "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"%s\"]}, {name: other.example, public-keys: [\"%s\"]}]"
                        .formatted(Site.MINT.publicKey(), OTHER.publicKey());
        return Site.with(List.of("routes=[{upstream: app, challenge: " + challenge + "}]", issuers), settings);
    }

    @Test
    void tokensWithoutContextLastUntilTheStoreForgets() {
        try (ServerProcess memcached = Site.memcached();
                Site site = withChallenge(
                        "{context: empty}",
                        "privacy-pass.challenge-window=1s",
                        "privacy-pass.clock-skew=100ms",
                        Site.ledger(memcached))) {
            String token = site.token();
            String unspent = site.token();
            assertThat(Site.decoded(site.challenge()).redemptionContext()).isEmpty();
            assertThat(site.challenge()).doesNotContain("max-age");
            Awaitility.await().pollDelay(Duration.ofMillis(2300)).until(() -> true);

            assertThat(site.redeem(token)).isEqualTo(200);
            assertThat(site.redeem(token)).isEqualTo(401);
            memcached.kill();
            Awaitility.await().until(() -> !site.healthy("ledger"));
            memcached.start();
            Awaitility.await().until(() -> site.healthy("ledger"));
            assertThat(site.redeem(unspent))
                    .as("may have been spent before the restart")
                    .isEqualTo(503);
        }
    }

    @Test
    void tokensWithoutContextPassUntilTheirKeyIsTooOld() throws Exception {
        InstantSource twoHoursAgo = () -> Instant.now().minus(Duration.ofHours(2));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (DevelopmentIssuer issuer = DevelopmentIssuer.start(address, Duration.ofHours(1), twoHoursAgo);
                TokenClient client = new TokenClient(InstantSource.system(), null)) {
            String[] settings = {
                "routes=[{upstream: app, token: required, challenge: {context: empty}}]",
                Site.issuer(issuer.name(), issuer.directoryUri(), ""),
                "privacy-pass.ledger.when-forgotten=accept",
                "privacy-pass.key-max-lifetime=1d"
            };
            List<String> tokens = new ArrayList<>();
            try (Site site = Site.with(settings)) {
                for (int i = 0; i < 2; i++) {
                    ChallengeField challenge = Objects.requireNonNull(ChallengeField.parse(site.challenge()))
                            .get(0);
                    tokens.add(TokenMint.credentials(client.fetch(challenge)));
                }
                assertThat(site.redeem(tokens.get(0))).isEqualTo(200);
                settings[3] = "privacy-pass.key-max-lifetime=1h";
                site.restart(settings);
                assertThat(site.redeem(tokens.get(1)))
                        .as("the key is two hours old")
                        .isBetween(401, 503);
            }
        }
    }
}
