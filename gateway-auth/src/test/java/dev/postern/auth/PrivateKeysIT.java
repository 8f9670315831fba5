package dev.postern.auth;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.testing.LoopExtension;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.core.testing.LastStage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests an issuer and a gateway that share the private keys of type 1 in a folder. */
class PrivateKeysIT {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final TokenType VOPRF = Objects.requireNonNull(TokenType.of(1));

    @TempDir
    private Path folder;

    private final TokenClient client = new TokenClient(InstantSource.system(), null);
    private final Queue<Exchange> passed = new ConcurrentLinkedQueue<>();
    private @Nullable Auth auth;
    private @Nullable Channel channel;

    @AfterEach
    void close() {
        client.close();
        if (auth != null) {
            auth.close();
        }
    }

    @Test
    void redeemsTokensOfTypeOneAndFollowsKeyRotation() throws Exception {
        try (DevelopmentIssuer issuer = issuer(this::write)) {
            open(issuer, List.of(folder), true, VOPRF, TokenType.BLIND_RSA);
            ChallengeField firstChallenge = ask(0);
            assertThat(passes(client.fetch(firstChallenge))).isTrue();
            assertThat(passes(client.fetch(ask(1)))).isTrue();

            issuer.roll();

            Token next = client.fetch(new ChallengeField(firstChallenge.challenge(), null, -1));
            assertThat(next.keyId()).isEqualTo(issuer.key(VOPRF).id());
            // For an unknown key, the gateway fetches the directory again after at least five seconds, and then reads
            // the folder too.
            await().until(() -> passes(next));
            assertThat(ask(0).tokenKey()).isEqualTo(issuer.key(VOPRF).encoded());
        }
    }

    @Test
    void sendsNoChallengeWithoutThePrivateKey() throws Exception {
        try (DevelopmentIssuer issuer = issuer(key -> {})) {
            open(issuer, List.of(), true, VOPRF, TokenType.BLIND_RSA);

            TestExchange challenged = send(null);

            await().until(() -> challenged.status() == 401);
            assertThat(challenged.responded(FieldName.WWW_AUTHENTICATE)).hasSize(1);
            assertThat(TokenMint.typeOf(
                            challenged.responded(FieldName.WWW_AUTHENTICATE).get(0)))
                    .isEqualTo(2);
        }
    }

    @Test
    void worksWithoutADirectory() throws Exception {
        try (DevelopmentIssuer issuer = issuer(this::write)) {
            open(issuer, List.of(folder), false, VOPRF);

            assertThat(passes(client.fetch(ask(0)))).isTrue();
        }
    }

    @Test
    void namesAnInvalidKeyFileButNotItsContent() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.key"), "voprf-p384:c2VjcmV0");
        Path other = Files.writeString(folder.resolve("other.key"), "c2VjcmV0");
        try (DevelopmentIssuer issuer = issuer(key -> {})) {
            for (Path file : List.of(bad, other)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> open(issuer, List.of(file), false, VOPRF))
                        .withMessageContaining("private-key-files: " + file)
                        .withMessageNotContaining("c2VjcmV0");
            }
        }
    }

    private void write(IssuingKey key) {
        if (!key.secretFile().isEmpty()) {
            try {
                Files.write(
                        folder.resolve(key.published().id() + ".key"),
                        key.secretFile().getBytes(US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static DevelopmentIssuer issuer(java.util.function.Consumer<IssuingKey> made) throws IOException {
        return DevelopmentIssuer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new DevelopmentIssuer.Options(
                        List.of(VOPRF, TokenType.BLIND_RSA),
                        Duration.ofHours(1),
                        DevelopmentIssuer.Rolling.DEFAULT,
                        InstantSource.system(),
                        made));
    }

    private void open(DevelopmentIssuer issuer, List<Path> secrets, boolean directory, TokenType... types)
            throws InterruptedException {
        Auth opened = Auth.open(
                new TestSettings()
                        .tokenTypes(types)
                        .of(TestSettings.issuerWithSecrets(
                                issuer.name(), directory ? issuer.directoryUri() : null, secrets)),
                TestSettings.environment(
                        KeyRing.random(), new SimpleMeterRegistry(), InstantSource.system(), () -> new byte[8]));
        auth = opened;
        channel = LOOP.channel(opened.decoding(), opened.verification(), new LastStage(passed::add));
        auth.awaitIssuers(Duration.ofSeconds(10));
    }

    private ChallengeField ask(int index) {
        TestExchange challenged = send(null);
        await().until(() -> challenged.status() == 401);
        return Objects.requireNonNull(ChallengeField.parse(
                        challenged.responded(FieldName.WWW_AUTHENTICATE).get(index)))
                .get(0);
    }

    private boolean passes(Token token) {
        TestExchange sent = send(token);
        await().until(() -> sent.status() != 0 || passed.contains(sent.exchange()));
        return passed.contains(sent.exchange());
    }

    private TestExchange send(@Nullable Token token) {
        String[] fields = token == null ? new String[0] : new String[] {"authorization", TokenMint.credentials(token)};
        TestExchange exchange = TestExchange.get(REVERSE, ROUTE, LOOP.loop(), fields);
        Channel target = Objects.requireNonNull(channel);
        LOOP.loop().execute(() -> target.pipeline().fireChannelRead(exchange.exchange()));
        return exchange;
    }
}
