package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;

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
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Presents tokens to an event loop in one iteration, with lanes without a library. */
abstract class TokenBatchFixture {

    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    static final TokenMint FIRST = TokenMint.shared();
    static final TokenMint SECOND = TokenMint.fresh();
    final AtomicInteger calls = new AtomicInteger();
    final ManualClock clock = new ManualClock(START);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final KeyRing ring = KeyRing.random();

    final Challenges challenges = new Challenges(
            new Challenges.Settings(
                    "default",
                    "gateway.example",
                    List.of("issuer.example", "second.example"),
                    List.of(TokenType.BLIND_RSA),
                    new ChallengeWindows(Duration.ofMinutes(10), Duration.ZERO)),
            ring.prf("challenge"),
            () -> new byte[8]);

    final VerificationExecutor executor = new VerificationExecutor(1, 1, Duration.ofHours(1));
    final List<Exchange> passed = Collections.synchronizedList(new ArrayList<>());
    final EmbeddedChannel channel = new EmbeddedChannel();
    KeyTable keys = new KeyTable(List.of(accepted(FIRST, "issuer.example")), Duration.ZERO);

    @Nullable
    Gcra budget;

    final Map<TokenMint, List<Token>> minted = new HashMap<>();
    int turn;
    BatchProvider provider = BigIntegerLanes.provider(calls);
    Consumer<Exchange> next = passed::add;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        executor.close();
    }

    void start() {
        channel.pipeline().addLast(chain());
    }

    StageChain chain() {
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

    interface Tokens {

        Token of(int index);
    }

    /** Presents so many tokens, as clients whose sockets are read in one iteration. */
    List<TestExchange> present(int count, Tokens tokens) {
        List<TestExchange> exchanges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestExchange exchange = exchange(TokenMint.credentials(tokens.of(i)));
            exchanges.add(exchange);
            channel.pipeline().fireChannelRead(exchange.exchange());
        }
        return exchanges;
    }

    TestExchange exchange(String credentials) {
        return TestExchange.get(REVERSE, ROUTE, channel.eventLoop(), "authorization", credentials);
    }

    Token token(TokenMint mint) {
        return token(mint, 0);
    }

    /** @param issuer index among the issuers of the challenge */
    Token token(TokenMint mint, int issuer) {
        PresentationContext context = new PresentationContext(ROUTE, REVERSE, InetAddress.getLoopbackAddress());
        List<Token> some = minted.computeIfAbsent(mint, minting -> {
            byte[] challenge = challenges.open(context, START).get(issuer).encoded();
            return Stream.generate(() -> minting.token(challenge)).limit(8).toList();
        });
        turn = (turn + 1) % some.size();
        return some.get(turn);
    }

    Token forged() {
        byte[] bytes = token(FIRST).bytes().clone();
        bytes[300] ^= 1;
        return Objects.requireNonNull(Token.parse(bytes));
    }

    static List<Exchange> exchanges(List<TestExchange> all) {
        return all.stream().map(TestExchange::exchange).toList();
    }

    static AcceptedKey accepted(TokenMint mint, String issuer) {
        return new AcceptedKey(mint.key(), issuer, Instant.EPOCH, Instant.MAX);
    }
}
