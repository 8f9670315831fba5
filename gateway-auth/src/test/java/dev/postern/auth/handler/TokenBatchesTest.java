package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.batch.BigIntegerLanes;
import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.budget.FailureBudget;
import dev.postern.auth.challenge.ChallengeWindows;
import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.challenge.PresentationContext;
import dev.postern.auth.key.AcceptedKey;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.EventLoopVerifiers;
import dev.postern.auth.verify.KeyLifetime;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.VerificationExecutor;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageChain;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import dev.postern.core.testing.LastStage;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests tokens that one iteration of an event loop presents, on lanes without a library. */
class TokenBatchesTest {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final TokenMint FIRST = TokenMint.shared();
    private static final TokenMint SECOND = TokenMint.fresh();

    private final AtomicInteger calls = new AtomicInteger();
    private final ManualClock clock = new ManualClock(START);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KeyRing ring = KeyRing.random();
    private final Challenges challenges = new Challenges(
            new Challenges.Settings(
                    "default",
                    "gateway.example",
                    List.of("issuer.example", "second.example"),
                    List.of(TokenType.BLIND_RSA),
                    new ChallengeWindows(Duration.ofMinutes(10), Duration.ZERO)),
            ring.prf("challenge"),
            () -> new byte[8]);
    private final VerificationExecutor executor = new VerificationExecutor(1, 1, Duration.ofHours(1));
    private final List<Exchange> passed = Collections.synchronizedList(new ArrayList<>());
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private KeyTable keys = new KeyTable(List.of(accepted(FIRST, "issuer.example")), Duration.ZERO);
    private @Nullable Gcra budget;
    private final Map<TokenMint, List<Token>> minted = new HashMap<>();
    private int turn;
    private BatchProvider provider = BigIntegerLanes.provider(calls);
    private Consumer<Exchange> next = passed::add;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        executor.close();
    }

    @Test
    void verifiesTheTokensOfOneIterationInOneCall() {
        start();
        for (int count = 2; count <= 8; count++) {
            calls.set(0);
            passed.clear();
            List<TestExchange> exchanges = present(count, i -> token(FIRST));

            channel.runPendingTasks();

            assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
            assertThat(calls).as("%d tokens", count).hasValue(1);
        }
    }

    @Test
    void verifiesASingleTokenWithoutLanes() {
        start();
        List<TestExchange> good = present(1, i -> token(FIRST));
        channel.runPendingTasks();
        TestExchange bad = present(1, i -> forged()).get(0);
        channel.runPendingTasks();

        assertThat(passed).containsExactlyElementsOf(exchanges(good));
        assertThat(bad.status()).isEqualTo(401);
        assertThat(calls).hasValue(0);
    }

    @Test
    void verifiesAtTheEndOfTheIteration() {
        start();
        present(7, i -> token(FIRST));
        assertThat(passed).isEmpty();

        channel.runPendingTasks();

        assertThat(passed).hasSize(7);
    }

    @Test
    void verifiesAFullBatchAtOnceAndTheRestAtTheEnd() {
        start();
        List<TestExchange> exchanges = present(19, i -> token(FIRST));
        assertThat(passed).hasSize(16);
        assertThat(calls).hasValue(2);

        channel.runPendingTasks();

        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        assertThat(calls).hasValue(3);
    }

    @Test
    void verifiesAtOnceWhereThereAreNoLanes() {
        provider = BatchProvider.none("not here");
        start();

        List<TestExchange> exchanges = present(9, i -> token(FIRST));

        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
    }

    @Test
    void onlyTheBadTokenOfEightFails() {
        start();
        for (int lane = 0; lane < 8; lane++) {
            passed.clear();
            int bad = lane;
            List<TestExchange> exchanges = present(8, i -> i == bad ? forged() : token(FIRST));

            channel.runPendingTasks();

            TestExchange refused = exchanges.remove(lane);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.exchange().outcome().reason()).isEqualTo("invalid");
            assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        }
    }

    /** A token that does not decode never enters the batch. */
    @Test
    void onlyTheTokenOfTheWrongLengthFails() {
        start();
        for (int length : new int[] {0, 1, 2, 98, 353, 355, 4000}) {
            passed.clear();
            List<TestExchange> exchanges = present(3, i -> token(FIRST));
            byte[] bytes = Arrays.copyOf(token(FIRST).bytes(), length);
            TestExchange malformed = exchange("PrivateToken token=\"" + Base64Url.encode(bytes) + "\"");
            channel.pipeline().fireChannelRead(malformed.exchange());
            exchanges.addAll(present(4, i -> token(FIRST)));

            channel.runPendingTasks();

            assertThat(malformed.status()).as("%d bytes", length).isBetween(400, 401);
            assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        }
    }

    @Test
    void aTokenIsVerifiedUnderTheKeyThatWasAcceptedWhenItArrived() {
        start();
        List<TestExchange> before = present(3, i -> token(FIRST));
        keys = new KeyTable(List.of(accepted(SECOND, "issuer.example")), Duration.ZERO);
        List<TestExchange> after = present(3, i -> token(SECOND));
        TestExchange late = present(1, i -> token(FIRST)).get(0);

        channel.runPendingTasks();

        before.addAll(after);
        assertThat(passed).containsExactlyElementsOf(exchanges(before));
        assertThat(late.status()).isEqualTo(401);
        assertThat(late.exchange().outcome().reason()).isEqualTo("unknown-key");
        assertThat(calls).hasValue(1);
    }

    @Test
    void eachTokenPassesUnderItsOwnIssuersKeyOnly() {
        keys = new KeyTable(
                List.of(accepted(FIRST, "issuer.example"), accepted(SECOND, "second.example")), Duration.ZERO);
        start();
        List<TestExchange> good = present(4, i -> i % 2 == 0 ? token(FIRST) : token(SECOND, 1));
        byte[] signed = Arrays.copyOf(token(FIRST).bytes(), 98);
        TestExchange forged =
                present(1, i -> Token.of(signed, SECOND.sign(signed, 48))).get(0);

        channel.runPendingTasks();

        assertThat(passed).containsExactlyElementsOf(exchanges(good));
        assertThat(forged.status()).isEqualTo(401);
        assertThat(calls).hasValue(1);
    }

    @Test
    void verifiesNoTokenWhoseExchangeHasEnded() {
        start();
        List<TestExchange> exchanges = present(3, i -> token(FIRST));
        exchanges.remove(1).exchange().end();

        channel.runPendingTasks();
        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        assertThat(calls).hasValue(1);

        present(5, i -> token(FIRST)).forEach(exchange -> exchange.exchange().end());
        channel.runPendingTasks();
        assertThat(calls).hasValue(1);
    }

    @Test
    void tokensThatFollowFromResultsAreVerifiedToo() {
        List<TestExchange> following = new ArrayList<>();
        start();
        next = exchange -> {
            passed.add(exchange);
            if (following.size() < 100) {
                following.addAll(present(1, i -> token(FIRST)));
            }
        };

        present(8, i -> token(FIRST));
        channel.runPendingTasks();

        assertThat(following).hasSize(100);
        assertThat(passed).hasSize(108);
    }

    @Test
    void anErrorOfOneExchangeSparesTheRest() {
        start();
        List<TestExchange> exchanges = present(3, i -> token(FIRST));
        Exchange broken = exchanges.get(1).exchange();
        next = exchange -> {
            if (exchange == broken) {
                throw new IllegalArgumentException("planned");
            }
            passed.add(exchange);
        };

        channel.runPendingTasks();

        assertThat(exchanges.remove(1).status()).isEqualTo(500);
        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
    }

    @Test
    void forgedTokensUseTheBudgetOfTheirNetwork() throws Exception {
        budget = Gcra.of(2, TimeUnit.HOURS.toMicros(1), 1);
        start();
        List<TestExchange> forged = present(3, i -> forged());
        channel.runPendingTasks();
        assertThat(forged).allMatch(exchange -> exchange.status() == 401);

        channel.freezeTime(); // no idle time from now on
        TestExchange waiting = present(1, i -> token(FIRST)).get(0);
        TestExchange other = exchange(TokenMint.credentials(token(FIRST)));
        other.exchange().clientAddress(InetAddress.getByName("198.51.100.7"));
        channel.pipeline().fireChannelRead(other.exchange());
        channel.runPendingTasks();

        assertThat(passed).as("of networks within their budget").containsExactly(other.exchange());
        assertThat(waiting.status()).isZero();
    }

    @Test
    void aLoopThatShutsDownEndsItsBatch() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        EventLoop loop = group.next();
        Channel client = new LocalChannel();
        client.pipeline().addLast(chain());
        loop.register(client).sync();
        List<TestExchange> exchanges = new ArrayList<>();
        loop.submit(() -> {
                    for (int i = 0; i < 5; i++) {
                        TestExchange exchange = TestExchange.get(
                                REVERSE, ROUTE, loop, "authorization", TokenMint.credentials(token(FIRST)));
                        exchanges.add(exchange);
                        client.pipeline().fireChannelRead(exchange.exchange());
                    }
                    exchanges.get(2).exchange().end();
                    group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
                })
                .sync();

        group.terminationFuture().sync();

        exchanges.remove(2);
        assertThat(passed).as("each at most once").containsExactlyElementsOf(exchanges(exchanges));
        assertThat(calls).hasValue(1);
    }

    private void start() {
        channel.pipeline().addLast(chain());
    }

    private StageChain chain() {
        DeprioritizedVerification verification = new DeprioritizedVerification(new FailureBudget(budget, 1), registry);
        ChallengeWriter challenger = new ChallengeWriter(challenges, () -> keys, clock, null);
        List<ExchangeStage> stages = List.of(
                new TokenDecodingStage(
                        FieldName.AUTHORIZATION,
                        List.of(TokenType.BLIND_RSA),
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
                        new VerifyMeters(),
                        () -> new byte[8],
                        key -> false,
                        verification,
                        issuer -> null,
                        executor,
                        provider)),
                new LastStage(exchange -> next.accept(exchange)));
        return new StageChain(stages);
    }

    private interface Tokens {

        Token of(int index);
    }

    /** Presents so many tokens, as clients whose sockets are read in one iteration. */
    private List<TestExchange> present(int count, Tokens tokens) {
        List<TestExchange> exchanges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestExchange exchange = exchange(TokenMint.credentials(tokens.of(i)));
            exchanges.add(exchange);
            channel.pipeline().fireChannelRead(exchange.exchange());
        }
        return exchanges;
    }

    private TestExchange exchange(String credentials) {
        return TestExchange.get(REVERSE, ROUTE, channel.eventLoop(), "authorization", credentials);
    }

    private Token token(TokenMint mint) {
        return token(mint, 0);
    }

    /** @param issuer index among the issuers of the challenge */
    private Token token(TokenMint mint, int issuer) {
        PresentationContext context = new PresentationContext(ROUTE, REVERSE, InetAddress.getLoopbackAddress());
        List<Token> some = minted.computeIfAbsent(mint, minting -> {
            byte[] challenge = challenges.open(context, START).get(issuer).encoded();
            return Stream.generate(() -> minting.token(challenge)).limit(8).toList();
        });
        turn = (turn + 1) % some.size();
        return some.get(turn);
    }

    private Token forged() {
        byte[] bytes = token(FIRST).bytes().clone();
        bytes[300] ^= 1;
        return Objects.requireNonNull(Token.parse(bytes));
    }

    private static List<Exchange> exchanges(List<TestExchange> all) {
        return all.stream().map(TestExchange::exchange).toList();
    }

    private static AcceptedKey accepted(TokenMint mint, String issuer) {
        return new AcceptedKey(mint.key(), issuer, Instant.EPOCH, Instant.MAX);
    }
}
