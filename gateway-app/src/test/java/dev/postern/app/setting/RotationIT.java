package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.DevelopmentIssuer.Rolling;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests an issuer that rotates its keys three times while clients fetch and spend tokens. */
@Tag("faults")
@Tag("long")
class RotationIT {

    private static final Duration ANNOUNCED = Duration.ofSeconds(2);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private final List<String> spent = new ArrayList<>();
    private final Set<String> keys = new TreeSet<>();

    @Test
    void refusesNoValidTokenAcceptsNoRetiredKeyAndNoTokenTwice() throws Exception {
        try (DevelopmentIssuer issuer = issuer();
                TokenClient client = new TokenClient(InstantSource.system(), null);
                Site site = Site.with(
                        Site.TOKEN_REQUIRED,
                        Site.issuer(issuer.name(), issuer.directoryUri(), ", refresh: 1s, key-grace: 1s"))) {
            Token kept = fetch(site, client);
            for (int roll = 0; roll < 3; roll++) {
                issuer.roll();
                spendFor(site, client, INTERVAL);
            }
            assertThat(keys).as("keys of the tokens").hasSize(4);

            issuer.retireOld();
            spendFor(site, client, GRACE.plus(ANNOUNCED));

            assertThat(site.redeem(TokenMint.credentials(kept))).isEqualTo(401);
            // The line is written at the end of the exchange, which may be after the response.
            await().untilAsserted(() -> assertThat(site.lines).last().asString().contains("unknown-key"));
            spent.forEach(token -> assertThat(site.redeem(token)).isEqualTo(401));
        }
    }

    private void spendFor(Site site, TokenClient client, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Token token = fetch(site, client);
            keys.add(token.keyId().toString());
            String credentials = TokenMint.credentials(token);
            assertThat(site.redeem(credentials)).as("token %d", spent.size()).isEqualTo(200);
            spent.add(credentials);
            // Leaves CPU time to the issuer.
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static Token fetch(Site site, TokenClient client) throws Exception {
        return client.fetch(
                Objects.requireNonNull(ChallengeField.parse(site.challenge())).get(0));
    }

    private static DevelopmentIssuer issuer() throws IOException {
        return DevelopmentIssuer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new DevelopmentIssuer.Options(
                        List.of(TokenType.BLIND_RSA),
                        Duration.ofSeconds(1),
                        new Rolling(ANNOUNCED, 3),
                        InstantSource.system(),
                        key -> {}));
    }
}
