package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.SiteClient;
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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys below {@code privacy-pass}. */
class TokenSettingsIT {

    private static final String FIELD = "WWW-Authenticate: ";
    private static final String ASKING = "routes=[{upstream: app, token: required}]";

    @TempDir
    private Path folder;

    @Test
    void tokensComeInTheFieldOfTheOperatorsChoice() {
        try (Site site = Site.asking("privacy-pass.token-header=x-token")) {
            String token = site.token();
            assertThat(site.get("/", "Authorization: " + token).status()).isEqualTo(401);
            assertThat(site.get("/", "Authorization: Basic abc", "X-Token: " + token)
                            .status())
                    .isEqualTo(200);
            assertThat(site.origin.received().get(0).field("Authorization")).isEqualTo("Basic abc");
            assertThat(site.origin.received().get(0).field("X-Token")).isEmpty();
        }
    }

    @Test
    void challengesAreOfTheirOriginAndTime() {
        try (Site site = Site.asking("privacy-pass.origin-names=[a.example, b.example]")) {
            assertThat(Challenged.originInfo(site.challenge())).isEqualTo("a.example,b.example");
            assertThat(Challenged.maxAge(site.challenge())).isBetween(600L, 1200L);
        }
        try (Site site = Site.asking("privacy-pass.challenge-window=60s", "privacy-pass.clock-skew=5s")) {
            assertThat(Challenged.maxAge(site.challenge())).isBetween(1L, 120L);
        }
    }

    @Test
    void clocksMayBeApartByHalfAWindowAtMost() {
        assertThatThrownBy(() -> Site.asking("privacy-pass.challenge-window=60s", "privacy-pass.clock-skew=31s"))
                .hasStackTraceContaining("clock-skew");
    }

    @Test
    void namespacesDontAcceptEachOthersTokens() throws IOException {
        Path ring = Files.writeString(folder.resolve("ring"), dev.postern.core.crypto.KeyRing.newLine() + "\n");
        String shared = "secrets.ring-file=" + ring;
        String forget = "privacy-pass.ledger.when-forgotten=accept";
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.asking(shared, forget, Site.ledger(memcached))) {
            String token = site.token();
            site.again(shared, forget, Site.ledger(memcached), ASKING, issuer(Site.MINT), "instance.namespace=other");
            assertThat(site.redeem(token)).isEqualTo(401);
            site.again(shared, forget, Site.ledger(memcached), ASKING, issuer(Site.MINT));
            assertThat(site.redeem(token)).isEqualTo(200);
        }
    }

    @Test
    void keysComeFromFilesToo() throws IOException {
        Files.writeString(folder.resolve("issuer.key"), Site.MINT.publicKey());
        try (Site site = Site.in(
                folder, ASKING, "privacy-pass.issuers=[{name: issuer.example, public-key-files: [issuer.key]}]")) {
            assertThat(site.redeem(site.token())).isEqualTo(200);
        }
    }

    @Test
    void typesAreAskedForInTheOperatorsOrder() throws Exception {
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
            String settings = "privacy-pass.issuers=[{name: \"" + issuer.name() + "\", directory: \""
                    + issuer.directoryUri() + "\", private-key-files: [secrets]}]";
            for (String types : List.of("[1, 2]", "[2, 1]", "[1]")) {
                try (Site site = Site.in(folder, ASKING, settings, "privacy-pass.token-types=" + types)) {
                    assertThat(asked(site)).hasToString(types);
                    for (int i = 0; i < asked(site).size(); i++) {
                        ChallengeField field = Objects.requireNonNull(
                                        ChallengeField.parse(challenges(site).get(i)))
                                .get(0);
                        String token = TokenMint.credentials(client.fetch(field));
                        assertThat(site.redeem(token)).isEqualTo(200);
                        assertThat(site.redeem(token)).isEqualTo(401);
                    }
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

    private static List<Integer> asked(Site site) {
        return challenges(site).stream().map(TokenMint::typeOf).toList();
    }

    @Test
    void typesThatNobodyCanCheckAreRefused() {
        assertThatThrownBy(() -> Site.asking("privacy-pass.token-types=[2, 1]"))
                .hasStackTraceContaining("an issuer with private-key-files");
        assertThatThrownBy(() -> Site.asking("privacy-pass.token-types=[3]")).hasStackTraceContaining("one of 1, 2");
        assertThatThrownBy(() -> Site.asking("privacy-pass.token-types=[2, 2]")).hasStackTraceContaining("each once");
    }

    @Test
    void directoriesAreAskedAgain() throws IOException {
        try (HttpFixture directory = new HttpFixture()) {
            directory.behave(listing(Site.MINT));
            try (Site site = Site.with(ASKING, issuer(directory, "refresh: 1s"))) {
                assertThat(site.redeem(site.token())).isEqualTo(200);
                Awaitility.await().until(() -> directory.requests() >= 2);
            }
        }
    }

    @Test
    void keysThatLeftHaveTheirGrace() throws IOException {
        assertThat(statusUnderTheOldKey("key-grace: 0s")).isEqualTo(401);
        assertThat(statusUnderTheOldKey("key-grace: 1h")).isEqualTo(200);
    }

    private static int statusUnderTheOldKey(String grace) throws IOException {
        TokenMint next = TokenMint.fresh();
        try (HttpFixture directory = new HttpFixture()) {
            directory.behave(listing(Site.MINT));
            try (Site site = Site.with(ASKING, issuer(directory, "refresh: 1s, " + grace))) {
                String old = site.token();
                directory.behave(listing(next));
                Awaitility.await().until(() -> site.challenge().contains(next.publicKey()));
                return site.redeem(old);
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

    private static String issuer(HttpFixture directory, String more) {
        return "privacy-pass.issuers=[{name: \"" + directory.name() + "\", directory: \"" + directory.uri("/directory")
                + "\", " + more + "}]";
    }

    private static String issuer(TokenMint mint) {
        return "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"" + mint.publicKey() + "\"]}]";
    }

    @Test
    void greasedChallengesStandAmongTheRealOnesNowAndThen() {
        try (Site site = Site.asking("privacy-pass.grease=true")) {
            URI uri = URI.create("http://127.0.0.1:" + site.port() + "/");
            Set<List<Boolean>> seen = new HashSet<>();
            Awaitility.await().until(() -> {
                ClientResponse refused = new SiteClient().get(uri, Map.of());
                assertThat(site.redeem(TokenMint.credentials(
                                Site.MINT.token(refused.challenge().challenge()))))
                        .as("what our own client takes of it")
                        .isEqualTo(200);
                seen.add(Objects.requireNonNull(refused.fields().get("www-authenticate")).stream()
                        .map(c -> c.contains(Site.MINT.publicKey()))
                        .toList());
                return seen.size() == 3;
            });
            assertThat(seen)
                    .as("which are real")
                    .containsExactlyInAnyOrder(List.of(true), List.of(true, false), List.of(false, true));
        }
        try (Site site = Site.asking()) {
            for (int i = 0; i < 100; i++) {
                assertThat(challenges(site)).hasSize(1);
            }
        }
    }
}
