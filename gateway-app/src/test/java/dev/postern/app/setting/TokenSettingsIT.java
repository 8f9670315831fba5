package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.key.IssuerDirectory;
import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenType;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys below {@code privacy-pass} that need an issuer or a store. */
class TokenSettingsIT {

    private static final String FIELD = "WWW-Authenticate: ";

    @TempDir
    private Path folder;

    @Test
    void namespacesRejectTokensOfEachOther() throws IOException {
        Path ring = Files.writeString(folder.resolve("ring"), dev.postern.core.crypto.KeyRing.newLine() + "\n");
        String shared = "secrets.ring-file=" + ring;
        String whenForgotten = "privacy-pass.ledger.when-forgotten=accept";
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.requiringTokens(shared, whenForgotten, Site.ledger(memcached))) {
            String token = site.token();
            site.restart(
                    shared,
                    whenForgotten,
                    Site.ledger(memcached),
                    Site.TOKEN_REQUIRED,
                    Site.issuer(),
                    "instance.namespace=other");
            assertThat(site.redeem(token)).isEqualTo(401);
            site.restart(shared, whenForgotten, Site.ledger(memcached), Site.TOKEN_REQUIRED, Site.issuer());
            assertThat(site.redeem(token)).isEqualTo(200);
        }
    }

    @Test
    void challengesHaveTheConfiguredTypes() throws Exception {
        Path secrets = folder.resolve("secrets");
        TokenType voprf = Objects.requireNonNull(TokenType.of(1));
        try (DevelopmentIssuer issuer = DevelopmentIssuer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new DevelopmentIssuer.Options(
                                List.of(TokenType.BLIND_RSA, voprf),
                                Duration.ofMinutes(5),
                                DevelopmentIssuer.Rolling.DEFAULT,
                                InstantSource.system(),
                                key -> write(secrets, key)));
                TokenClient client = new TokenClient(InstantSource.system(), null)) {
            String settings = Site.issuer(issuer.name(), issuer.directoryUri(), ", private-key-files: [secrets]");
            try (Site site = Site.in(folder, Site.TOKEN_REQUIRED, settings, "privacy-pass.token-types=[1, 2]")) {
                assertThat(challenges(site)).extracting(TokenMint::typeOf).containsExactly(1, 2);
                for (String challenge : challenges(site)) {
                    ChallengeField field = Objects.requireNonNull(ChallengeField.parse(challenge))
                            .get(0);
                    String token = TokenMint.credentials(client.fetch(field));
                    assertThat(site.redeem(token)).isEqualTo(200);
                    assertThat(site.redeem(token)).isEqualTo(401);
                }
            }
        }
    }

    private static void write(Path folder, IssuingKey key) {
        try {
            if (!key.secretFile().isEmpty()) {
                Files.createDirectories(folder);
                Files.writeString(folder.resolve(key.published().id() + ".key"), key.secretFile());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> challenges(Site site) {
        return site.get("/")
                .head()
                .lines()
                .filter(line -> line.regionMatches(true, 0, FIELD, 0, FIELD.length()))
                .map(line -> line.substring(FIELD.length()))
                .toList();
    }

    @Test
    void removedKeysHaveTheirGrace() throws IOException {
        TokenMint next = TokenMint.fresh();
        try (HttpFixture directory = new HttpFixture()) {
            directory.behave(listing(Site.MINT));
            String issuer = Site.issuer(directory.name(), directory.uri("/directory"), ", refresh: 1s, key-grace: 1h");
            try (Site site = Site.with(Site.TOKEN_REQUIRED, issuer)) {
                String old = site.token();
                directory.behave(listing(next));
                Awaitility.await().until(() -> site.challenge().contains(next.publicKey()));
                assertThat(site.redeem(old)).isEqualTo(200);
            }
        }
    }

    private static com.sun.net.httpserver.HttpHandler listing(TokenMint mint) {
        return HttpFixture.text(
                200,
                IssuerDirectory.MEDIA_TYPE,
                "{\"issuer-request-uri\":\"/request\",\"token-keys\":[{\"token-type\":2,\"token-key\":\""
                        + mint.publicKey() + "\"}]}");
    }
}
