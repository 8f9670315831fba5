package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.budget.FailureBudget;
import dev.postern.auth.budget.ManualIdleTime;
import dev.postern.auth.challenge.ChallengeWindows;
import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.challenge.PresentationContext;
import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.key.AcceptedKey;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.testing.LoopExtension;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.EventLoopVerifiers;
import dev.postern.auth.verify.KeyLifetime;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.VerificationExecutor;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import dev.postern.core.testing.LastStage;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests tokens whose verification takes too long for an event loop: type 1. */
class WorkerVerificationTest {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final PresentationContext PLACE =
            new PresentationContext(ROUTE, REVERSE, InetAddress.getLoopbackAddress());
    private static final Issuance SCHEME = TokenScheme.of(Objects.requireNonNull(TokenType.of(1)), Issuance.class);
    private static final IssuingKey ISSUER = SCHEME.generate();

    private final ManualClock clock = new ManualClock(START);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final VerifyMeters meters = new VerifyMeters();
    private final KeyRing ring = KeyRing.random();
    private final Challenges challenges = new Challenges(
            new Challenges.Settings(
                    "default",
                    "gateway.example",
                    List.of("issuer.example"),
                    List.of(SCHEME.type(), TokenType.BLIND_RSA),
                    new ChallengeWindows(Duration.ofMinutes(10), Duration.ZERO)),
            ring.prf("challenge"),
            () -> new byte[8]);
    private final KeyTable keys =
            new KeyTable(List.of(accepted(TokenMint.shared().key()), accepted(ISSUER.published())), Duration.ZERO);
    private final Queue<Exchange> passed = new ConcurrentLinkedQueue<>();
    private final Queue<Boolean> onLoop = new ConcurrentLinkedQueue<>();
    private DeprioritizedVerification verification =
            new DeprioritizedVerification(new FailureBudget(null, 1), registry);
    private VerificationExecutor executor = new VerificationExecutor(1, 1, Duration.ofHours(1));

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void continuesOnItsEventLoopWhenAWorkerAccepts() throws Exception {
        TestExchange exchange = exchange(token());

        sendAndAwait(exchange);

        assertThat(passed).containsExactly(exchange.exchange());
        assertThat(onLoop).containsExactly(true);
        assertThat(exchange.exchange().credential()).isNotNull();
        assertThat(verified("good")).isEqualTo(1);
    }

    @Test
    void challengesWhenAWorkerRefuses() throws Exception {
        byte[] bytes = token().bytes().clone();
        bytes[145] ^= 1;
        TestExchange exchange = exchange(Objects.requireNonNull(Token.parse(bytes)));

        sendAndAwait(exchange);

        assertThat(exchange.status()).isEqualTo(401);
        assertThat(exchange.exchange().outcome().reason()).isEqualTo("invalid");
        assertThat(passed).isEmpty();
        assertThat(verified("invalid")).isEqualTo(1);
    }

    @Test
    void verifiesTokensPastTheBudgetInIdleTime() throws Exception {
        ManualIdleTime idle = new ManualIdleTime();
        verification = idle.verification(new FailureBudget(Gcra.of(1, TimeUnit.HOURS.toMicros(1), 0), 1), registry);
        byte[] bytes = token().bytes().clone();
        bytes[145] ^= 1;
        Token forged = Objects.requireNonNull(Token.parse(bytes));
        sendAndAwait(exchange(forged));

        TestExchange good = exchange(token());
        TestExchange bad = exchange(forged);
        for (TestExchange late : List.of(bad, good)) { // the accepted one makes up for a failure
            Channel channel = send(late);
            LOOP.loop().submit(idle::pass).sync();
            await(late, channel);
        }

        assertThat(passed).containsExactly(good.exchange());
        assertThat(bad.status()).isEqualTo(401);
        assertThat(idleVerifications("good")).isEqualTo(1);
        assertThat(idleVerifications("invalid")).isEqualTo(1);
    }

    private double idleVerifications(String result) {
        return registry.get("postern.token.deprioritized")
                .tag("result", result)
                .counter()
                .count();
    }

    @Test
    void offersBothTypesInTheOperatorsOrder() throws Exception {
        TestExchange exchange = TestExchange.get(REVERSE, ROUTE, LOOP.loop(), "authorization", "Basic abc");

        sendAndAwait(exchange);

        List<String> challenges = exchange.responded(FieldName.WWW_AUTHENTICATE);
        assertThat(challenges).hasSize(2);
        assertThat(TokenMint.typeOf(challenges.get(0))).isEqualTo(1);
        assertThat(TokenMint.typeOf(challenges.get(1))).isEqualTo(2);
    }

    @Test
    void refusesAtOnceWhenTheQueueIsFull() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        assertThat(executor.offer(() -> held(hold), LOOP.loop(), response -> {}))
                .isTrue();
        while (executor.waiting() > 0) {
            Thread.onSpinWait(); // until the only thread has taken it
        }
        assertThat(executor.offer(() -> true, LOOP.loop(), response -> {})).isTrue();
        TestExchange exchange = exchange(token());
        try {
            send(exchange);
            LOOP.loop().submit(() -> {}).sync();

            assertThat(exchange.status()).isEqualTo(503);
            assertThat(exchange.responded(FieldName.of("retry-after"))).isNotEmpty();
            assertThat(exchange.exchange().outcome().reason()).isEqualTo("busy");
            assertThat(verified("busy")).isEqualTo(1);
        } finally {
            hold.countDown();
        }
        TestExchange later = exchange(token());
        while (executor.waiting() > 0) {
            Thread.onSpinWait();
        }
        sendAndAwait(later);
        assertThat(passed).containsExactly(later.exchange());
    }

    @Test
    void refusesTasksThatWaitedTooLongWithoutVerification() throws Exception {
        executor.close();
        executor = new VerificationExecutor(1, 1, Duration.ZERO);
        TestExchange exchange = exchange(token());

        sendAndAwait(exchange);

        assertThat(exchange.status()).isEqualTo(503);
        assertThat(verified("busy")).isEqualTo(1);
    }

    private static boolean held(CountDownLatch hold) {
        try {
            hold.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private Token token() {
        byte[] challenge = challenges.open(PLACE, START).get(0).encoded();
        PendingToken pending = SCHEME.begin(ISSUER.published(), TokenChallenge.sha256(challenge), new SecureRandom());
        return pending.finish(
                Objects.requireNonNull(ISSUER.sign(pending.request().blinded())));
    }

    private static TestExchange exchange(Token token) {
        return TestExchange.get(REVERSE, ROUTE, LOOP.loop(), "authorization", TokenMint.credentials(token));
    }

    private Channel send(TestExchange exchange) {
        ChallengeWriter challenger = new ChallengeWriter(challenges, () -> keys, clock, null);
        Channel channel = LOOP.channel(
                new TokenDecodingStage(
                        FieldName.AUTHORIZATION,
                        List.of(SCHEME.type(), TokenType.BLIND_RSA),
                        challenger,
                        Enforcement.STRICT,
                        verification,
                        null),
                new TokenVerificationStage(new TokenVerificationStage.Dependencies(
                        new TokenVerifier(
                                () -> keys,
                                challenges,
                                new EventLoopVerifiers(SignatureProvider.named(SignatureProvider.PLATFORM)),
                                new KeyLifetime(Duration.ofDays(1), Duration.ZERO)),
                        challenger,
                        Enforcement.STRICT,
                        ring.prf("credential"),
                        clock,
                        meters,
                        () -> new byte[8],
                        key -> false,
                        verification,
                        issuer -> null,
                        executor,
                        BatchProvider.none("not tested here"))),
                new LastStage(came -> {
                    onLoop.add(LOOP.loop().inEventLoop());
                    passed.add(came);
                }));
        LOOP.loop().execute(() -> channel.pipeline().fireChannelRead(exchange.exchange()));
        return channel;
    }

    /** Sends, and waits until the exchange has passed or has a response: both happen on the event loop after the worker's result. */
    private void sendAndAwait(TestExchange exchange) throws Exception {
        await(exchange, send(exchange));
    }

    private void await(TestExchange exchange, Channel channel) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        boolean done = false;
        while (!done && System.nanoTime() < deadline) {
            done = LOOP.loop()
                    .submit(() -> exchange.status() != 0 || passed.contains(exchange.exchange()))
                    .sync()
                    .getNow();
        }
        channel.close().sync();
    }

    private long verified(String result) {
        return meters.histogram().of("1", result).count();
    }

    private static AcceptedKey accepted(IssuerKey key) {
        return new AcceptedKey(key, "issuer.example", Instant.EPOCH, Instant.MAX);
    }
}
