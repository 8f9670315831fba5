package dev.postern.auth;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.testing.LoopExtension;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.core.testing.LastStage;
import dev.postern.core.testing.LeakExtension;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests authentication with an issuer over HTTP and on an event loop. */
@ExtendWith(LeakExtension.class)
class AuthIT {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Queue<Exchange> passed = new ConcurrentLinkedQueue<>();
    private final DevelopmentIssuer issuer = DevelopmentIssuer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Duration.ofHours(1), InstantSource.system());
    private final TokenClient client = new TokenClient(InstantSource.system(), null);
    private final Auth auth = Auth.open(
            new TestSettings().of(TestSettings.issuer(issuer.name(), issuer.directoryUri())),
            new Auth.Environment(
                    "default",
                    false,
                    KeyRing.random(),
                    registry,
                    InstantSource.system(),
                    ticker,
                    new Auth.Memory(() -> new byte[8], key -> false)));
    private final Channel channel = LOOP.channel(auth.decoding(), auth.verification(), new LastStage(passed::add));

    AuthIT() throws IOException {}

    @BeforeEach
    void awaitKeys() throws InterruptedException {
        auth.awaitIssuers(Duration.ofSeconds(60));
        await().until(auth::hasKeys);
        ticker.advance(5, TimeUnit.SECONDS); // the next fetch is permitted
    }

    @AfterEach
    void close() {
        channel.close().syncUninterruptibly();
        auth.close();
        client.close();
        issuer.close();
    }

    @Test
    void redeemsATokenThatWasIssuedForItsChallenge() throws Exception {
        Token token = client.fetch(ask());

        TestExchange exchange = send(token);

        await().until(() -> passed.contains(exchange.exchange()));
        assertThat(auth.hasKeys()).isTrue();
        assertThat(auth.provider().name()).isEqualTo("AmazonCorrettoCryptoProvider");
        assertThat(auth.issuers().get(0).keys()).hasSize(1);
    }

    @Test
    void findsANewerKeyWithOneFetchForAll() throws Exception {
        ChallengeField challenge = ask();
        issuer.rotate();
        Token forged = TokenMint.fresh().token(challenge.challenge());
        List<Token> tokens = new ArrayList<>();
        ChallengeField keyless = new ChallengeField(challenge.challenge(), null, -1);
        client.mint(keyless, 20, 4, tokens::add); // slow on a busy machine
        assertThat(tokens.get(0).keyId()).isNotEqualTo(Objects.requireNonNull(challenge.tokenKey()));
        assertThat(fetches()).isEqualTo(1);

        List<TestExchange> exchanges =
                new ArrayList<>(tokens.stream().map(this::send).toList());

        // An exchange waits half a second for the keys; on a busy machine some are refused, and their clients ask
        // again.
        await().until(() -> {
            for (int i = 0; i < exchanges.size(); i++) {
                if (exchanges.get(i).status() == 401) {
                    exchanges.set(i, send(tokens.get(i)));
                }
            }
            return exchanges.stream().allMatch(e -> passed.contains(e.exchange()));
        });
        ticker.advance(4, TimeUnit.SECONDS); // another unknown key leads to no fetch so soon
        TestExchange unknown = send(forged);
        await().until(() -> unknown.status() == 401);
        assertThat(unknown.exchange().outcome().reason()).isEqualTo("unknown-key");
        assertThat(fetches()).isEqualTo(2);
    }

    @Test
    void fetchesNoKeyForATokenOfAForeignChallenge() throws Exception {
        TokenMint forger = TokenMint.fresh();

        TestExchange unasked = send(forger.token(new byte[40]));
        await().until(() -> unasked.status() == 401);
        assertThat(fetches()).isEqualTo(1);

        byte[] challenge = ask().challenge();
        List<TestExchange> forged = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            forged.add(send(forger.token(challenge)));
        }
        await().until(() -> forged.stream().allMatch(e -> e.status() == 401));
        await().until(() -> fetches() > 1);
        assertThat(fetches()).isEqualTo(2);
        assertThat(passed).isEmpty();
    }

    private ChallengeField ask() {
        TestExchange exchange = send(TestExchange.get(REVERSE, ROUTE, LOOP.loop()));
        await().until(() -> exchange.status() == 401);
        String field = exchange.responded(FieldName.WWW_AUTHENTICATE).get(0);
        return Objects.requireNonNull(ChallengeField.parse(field)).get(0);
    }

    private TestExchange send(Token token) {
        return send(TestExchange.get(REVERSE, ROUTE, LOOP.loop(), "authorization", TokenMint.credentials(token)));
    }

    private TestExchange send(TestExchange exchange) {
        LOOP.loop().execute(() -> channel.pipeline().fireChannelRead(exchange.exchange()));
        return exchange;
    }

    private double fetches() {
        return registry.find("postern.issuer.fetches").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
