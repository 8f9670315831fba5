package dev.postern.auth;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.testing.LoopExtension;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the same fault gets the same response for tokens of each type. */
@Tag("long")
class TokenTypeEquivalenceIT {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final TokenType VOPRF = Objects.requireNonNull(TokenType.of(1));
    private static final TokenType RSA = TokenType.BLIND_RSA;
    private static final String REQUIRED = "401 token-required ";
    private static final String MALFORMED = "400 credentials-malformed malformed";
    private static final String PASSED = "passed";

    /** Faults of a token, and the response when its type is in the challenge. */
    enum Fault {
        NONE(PASSED),
        AUTHENTICATOR(REQUIRED + "invalid"),
        AUTHENTICATOR_OF_ZEROS(REQUIRED + "invalid"),
        NONCE(REQUIRED + "invalid"),
        CHALLENGE(REQUIRED + "wrong-challenge"),
        KEY_ID(REQUIRED + "unknown-key"),
        OTHER_ISSUER(REQUIRED + "unknown-key"),
        KEY_OF_THE_OTHER_TYPE(REQUIRED + "unknown-key"),
        ONE_BYTE_SHORT(MALFORMED),
        ONE_BYTE_LONG(MALFORMED),
        BODY_OF_THE_OTHER_TYPE(MALFORMED),
        TYPE_ALONE(MALFORMED);

        private final String response;

        Fault(String response) {
            this.response = response;
        }
    }

    @TempDir
    private Path folder;

    private final TokenClient client = new TokenClient(InstantSource.system(), null);
    private final SecureRandom random = new SecureRandom();
    private final Queue<Exchange> passed = new ConcurrentLinkedQueue<>();
    private DevelopmentIssuer issuer;
    private @Nullable Auth auth;
    private @Nullable Channel channel;

    @BeforeEach
    void issue() throws IOException {
        issuer = DevelopmentIssuer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new DevelopmentIssuer.Options(
                        List.of(VOPRF, RSA),
                        Duration.ofHours(1),
                        DevelopmentIssuer.Rolling.DEFAULT,
                        InstantSource.system(),
                        this::write));
    }

    @AfterEach
    void close() {
        client.close();
        if (auth != null) {
            auth.close();
        }
        issuer.close();
    }

    @ParameterizedTest
    @EnumSource
    void sameFaultSameResponse(Fault fault) throws Exception {
        open(VOPRF, RSA);
        ChallengeField voprf = challenge(VOPRF);
        ChallengeField rsa = challenge(RSA);

        assertThat(response(faulty(fault, voprf, VOPRF))).as("type 1").isEqualTo(fault.response);
        assertThat(response(faulty(fault, rsa, RSA))).as("type 2").isEqualTo(fault.response);
    }

    /** A type that the challenge does not offer is unsupported, whatever follows it. */
    @ParameterizedTest
    @EnumSource
    void aTypeThatIsNotOfferedIsUnsupported(Fault fault) throws Exception {
        for (TokenType other : List.of(VOPRF, RSA)) {
            open(VOPRF, RSA);
            byte[] token = faulty(fault, challenge(other), other);
            Objects.requireNonNull(auth).close();
            open(other.equals(RSA) ? VOPRF : RSA);

            assertThat(response(token)).as("type %d", other.value()).isEqualTo(REQUIRED + "unsupported-type");
        }
    }

    private byte[] faulty(Fault fault, ChallengeField challenge, TokenType type) throws Exception {
        TokenType other = type.equals(RSA) ? VOPRF : RSA;
        byte[] good = client.fetch(challenge).bytes();
        return switch (fault) {
            case NONE -> good;
            case AUTHENTICATOR -> flipped(good, good.length - 1);
            case AUTHENTICATOR_OF_ZEROS -> Arrays.copyOf(Arrays.copyOf(good, type.signedLength()), good.length);
            case NONCE -> flipped(good, 2);
            case CHALLENGE -> flipped(good, 34);
            case KEY_ID -> flipped(good, 66);
            case OTHER_ISSUER -> ofAnotherIssuer(challenge, type);
            case KEY_OF_THE_OTHER_TYPE -> withKeyOf(good, other);
            case ONE_BYTE_SHORT -> Arrays.copyOf(good, good.length - 1);
            case ONE_BYTE_LONG -> Arrays.copyOf(good, good.length + 1);
            case BODY_OF_THE_OTHER_TYPE ->
                retyped(client.fetch(challenge(other)).bytes(), type);
            case TYPE_ALONE -> Arrays.copyOf(good, 2);
        };
    }

    /** Makes a valid token for that challenge, of an issuer that the challenge does not name. */
    private byte[] ofAnotherIssuer(ChallengeField challenge, TokenType type) {
        Issuance issuance = TokenScheme.of(type, Issuance.class);
        IssuingKey theirs = issuance.generate();
        PendingToken pending = issuance.begin(theirs.published(), TokenChallenge.sha256(challenge.challenge()), random);
        byte[] response = Objects.requireNonNull(theirs.sign(pending.request().blinded()));
        return pending.finish(response).bytes();
    }

    private byte[] withKeyOf(byte[] token, TokenType other) {
        byte[] changed = token.clone();
        System.arraycopy(issuer.key(other).id().toArray(), 0, changed, 66, 32);
        return changed;
    }

    private static byte[] flipped(byte[] token, int offset) {
        byte[] changed = token.clone();
        changed[offset] ^= 1;
        return changed;
    }

    private static byte[] retyped(byte[] token, TokenType type) {
        byte[] changed = token.clone();
        changed[1] = (byte) type.value();
        return changed;
    }

    private void write(IssuingKey key) {
        if (!key.secretFile().isEmpty()) {
            try {
                Files.writeString(folder.resolve(key.published().id() + ".key"), key.secretFile(), US_ASCII);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void open(TokenType... types) throws InterruptedException {
        Auth opened = Auth.open(
                new TestSettings()
                        .tokenTypes(types)
                        .of(TestSettings.issuerWithSecrets(issuer.name(), issuer.directoryUri(), List.of(folder))),
                TestSettings.environment(
                        KeyRing.random(), new SimpleMeterRegistry(), InstantSource.system(), () -> new byte[8]));
        auth = opened;
        channel = LOOP.channel(opened.decoding(), opened.verification(), new LastStage(passed::add));
        opened.awaitIssuers(Duration.ofSeconds(10));
    }

    private ChallengeField challenge(TokenType type) {
        TestExchange challenged = send(null);
        await().until(() -> challenged.status() == 401);
        return challenged.responded(FieldName.WWW_AUTHENTICATE).stream()
                .flatMap(field -> Objects.requireNonNull(ChallengeField.parse(field)).stream())
                .filter(field -> (field.challenge()[1] & 0xff) == type.value())
                .findFirst()
                .orElseThrow();
    }

    /** Returns status, code and reason. */
    private String response(byte[] token) {
        TestExchange sent = send(token);
        await().until(() -> sent.status() != 0 || passed.contains(sent.exchange()));
        if (passed.contains(sent.exchange())) {
            return PASSED;
        }
        var outcome = sent.exchange().outcome();
        return sent.status() + " " + Objects.requireNonNull(outcome.refusal()).code() + " " + outcome.reason();
    }

    private TestExchange send(byte @Nullable [] token) {
        String[] fields = token == null
                ? new String[0]
                : new String[] {"authorization", "PrivateToken token=\"" + Base64Url.encode(token) + "\""};
        TestExchange exchange = TestExchange.get(REVERSE, ROUTE, LOOP.loop(), fields);
        Channel stages = Objects.requireNonNull(channel);
        LOOP.loop().execute(() -> stages.pipeline().fireChannelRead(exchange.exchange()));
        return exchange;
    }
}
