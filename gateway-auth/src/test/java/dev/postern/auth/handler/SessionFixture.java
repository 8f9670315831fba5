package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.embedded.EmbeddedLedger;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Gateways that sell sessions, with one ledger and one clock, without sockets. */
final class SessionFixture {

    static final Route ROUTE = TestExchange.route("*/", Route.Token.SESSION, null);
    static final Duration LIFETIME = Duration.ofMinutes(30);
    static final Rate RATE = Rate.of("7/s");

    private static final TokenMint MINT = TokenMint.shared();

    final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    final KeyRing ring = KeyRing.random();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedLedger ledger = EmbeddedLedger.open(
            KeyDefaults.of(LedgerSettings.class),
            new LedgerEnvironment("test", registry, clock, Ticker.systemTicker(), List.of()));

    /** Opens a gateway whose sessions are bound to the agent. */
    Gateway open() {
        return open("default", ring, LIFETIME, ClientBinding.AGENT);
    }

    Gateway open(String namespace, KeyRing keys, Duration lifetime, ClientBinding... properties) {
        return new Gateway(Auth.open(
                new TestSettings()
                        .sessionLifetime(lifetime)
                        .sessionBind(properties)
                        .sessionRate(RATE)
                        .of(TestSettings.issuerWithKeys("issuer.example", MINT.publicKey())),
                new Auth.Environment(
                        namespace,
                        true,
                        keys,
                        registry,
                        clock,
                        Ticker.systemTicker(),
                        new Auth.Memory(ledger::epoch, key -> false))));
    }

    /** Returns the values that the gateway adds to the response. */
    static List<String> added(TestExchange exchange, FieldName name) {
        List<String> values = new ArrayList<>();
        exchange.exchange().responseFields().stream()
                .filter(f -> f.name().equals(name))
                .forEach(f -> values.add(f.value()));
        return values;
    }

    /** Returns name and value of the cookie that the gateway sets. */
    static String cookie(TestExchange paid) {
        return added(paid, FieldName.SET_COOKIE).get(0).split(";")[0];
    }

    /** Gateway with stages for tokens and sessions. */
    final class Gateway implements AutoCloseable {

        private final Auth auth;
        private final EmbeddedChannel channel;

        private Gateway(Auth auth) {
            this.auth = auth;
            this.channel = StageChannel.of(
                    auth.decoding(),
                    auth.verification(),
                    auth.spending((challenger, terms) -> new SpendStage(
                            ledger,
                            challenger,
                            KeyDefaults.of(LedgerSettings.class),
                            new SpendMeters(registry),
                            terms,
                            Ticker.systemTicker())));
        }

        EventLoop loop() {
            return channel.eventLoop();
        }

        TestExchange send(TestExchange exchange) {
            channel.writeInbound(exchange.exchange());
            return exchange;
        }

        TestExchange send(Route route, String... fields) {
            return send(TestExchange.get(REVERSE, route, loop(), fields));
        }

        /** @param secure whether the client uses TLS to a trusted proxy; the connection of the exchange is without TLS */
        TestExchange send(boolean secure, String... fields) {
            TestExchange exchange = TestExchange.get(REVERSE, ROUTE, loop(), fields);
            exchange.exchange().clientScheme(secure ? "https" : "http");
            return send(exchange);
        }

        boolean passed(TestExchange exchange) {
            for (Object out = channel.readInbound(); out != null; out = channel.readInbound()) {
                if (out == exchange.exchange()) {
                    return true;
                }
            }
            return false;
        }

        boolean passes(Route route, String... fields) {
            return passed(send(route, fields));
        }

        /** Returns whether a client with this address and agent passes by the cookie. */
        boolean passes(String address, String cookie, String agent) throws UnknownHostException {
            TestExchange exchange = TestExchange.get(REVERSE, ROUTE, loop(), "cookie", cookie, "user-agent", agent);
            exchange.exchange().clientAddress(InetAddress.getByName(address));
            return passed(send(exchange));
        }

        void assertChallenged(TestExchange exchange) {
            assertThat(passed(exchange)).isFalse();
            assertThat(exchange.status()).isEqualTo(401);
            assertThat(exchange.exchange().request().has(FieldName.COOKIE)).isFalse();
        }

        /** Returns a token for a challenge of this gateway, as the value of an Authorization field. */
        String token() {
            return MINT.response(
                    send(ROUTE).responded(FieldName.WWW_AUTHENTICATE).get(0));
        }

        /**
         * Buys a session.
         *
         * @param fields further fields of the request: name, value
         */
        TestExchange pay(String... fields) {
            List<String> all = new ArrayList<>(List.of("authorization", token()));
            all.addAll(List.of(fields));
            TestExchange paid = send(ROUTE, all.toArray(String[]::new));
            assertThat(passed(paid)).isTrue();
            return paid;
        }

        /** Buys a session and returns name and value of its cookie. */
        String buy(String... fields) {
            return cookie(pay(fields));
        }

        @Override
        public void close() {
            channel.finishAndReleaseAll();
            auth.close();
        }
    }
}
