package dev.postern.auth.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.WhenUnknown;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpendStageTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-20T10:00:00Z"));
    private static final Redemption TOKEN =
            new Redemption(new byte[Redemption.KEY_LENGTH], Instant.parse("2026-11-20T10:10:00Z"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SpendMeters meters = new SpendMeters(registry);
    private final List<String> challenges = new ArrayList<>();
    private final Challenger challenger = (exchange, reason) -> challenges.add(reason);

    @Test
    void forwardsWithoutATokenRule() {
        EmbeddedChannel channel = channel(new SilentLedger(), KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = exchange(channel, ListenerInfo.Mode.REVERSE);

        channel.writeInbound(exchange);

        assertThat(channel.<Exchange>readInbound()).isSameAs(exchange);
    }

    @Test
    void forwardsAFreshTokenOnceAndThenChallenges() {
        EmbeddedChannel channel = channel(embedded(), KeyDefaults.of(LedgerSettings.class));
        Exchange first = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));
        Exchange second = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));

        channel.writeInbound(first, second);

        assertThat(channel.<Exchange>readInbound()).isSameAs(first);
        assertThat(channel.<Exchange>readInbound()).isNull();
        assertThat(spent(first)).isTrue();
        assertThat(spent(second)).isFalse();
        assertThat(challenges).containsExactly("spent");
        assertThat(timed("fresh")).isEqualTo(1);
        assertThat(timed("spent")).isEqualTo(1);
    }

    @Test
    void challengesALapsedTokenWithoutSpendingIt() {
        SpendLedger ledger = embedded();
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = exchange(channel, ListenerInfo.Mode.REVERSE);
        exchange.put(Redemption.KEY, TOKEN);
        exchange.credential(new Credential(new byte[16], true));

        channel.writeInbound(exchange);

        assertThat(challenges).containsExactly("wrong-challenge");
        assertThat(ledger.knownSpent(TOKEN.key())).isFalse();
    }

    @Test
    void refusesAndRefundsAnUnknownResult() {
        SilentLedger ledger = new SilentLedger();
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));

        channel.writeInbound(exchange);

        assertThat(channel.<Exchange>readInbound()).isNull();
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.LEDGER_UNKNOWN);
        assertThat(((RecordedResponse) exchange.response()).value(FieldName.RETRY_AFTER))
                .isEqualTo("1");
        assertThat(ledger.refunded).hasSize(1);
        assertThat(timed("unknown")).isEqualTo(1);
    }

    @Test
    void refusesAsBusyAtTheLimit() {
        SilentLedger ledger = new SilentLedger();
        ledger.busy = true;
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));

        channel.writeInbound(exchange);

        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.LEDGER_BUSY);
    }

    @Test
    void forwardsAnUnknownResultWhenConfiguredAndKeepsTheSpend() {
        SilentLedger ledger = new SilentLedger();
        EmbeddedChannel channel = channel(ledger, accepting());
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));

        channel.writeInbound(exchange);
        exchange.outcome().markForwarded();
        exchange.end();

        assertThat(channel.<Exchange>readInbound()).isSameAs(exchange);
        assertThat(ledger.refunded).isEmpty();
        assertThat(registry.counter("postern.ledger.events", "event", "unknown-accepted")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void refundsRequestsThatReachedNoUpstream() {
        SpendLedger ledger = embedded();
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));
        channel.writeInbound(exchange);
        assertThat(ledger.knownSpent(TOKEN.key())).isTrue();

        exchange.end();

        assertThat(ledger.knownSpent(TOKEN.key())).isFalse();
    }

    @Test
    void refundsNoRequestThatReachedAnUpstream() {
        SpendLedger ledger = embedded();
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));
        channel.writeInbound(exchange);

        exchange.outcome().markForwarded();
        exchange.end();

        assertThat(ledger.knownSpent(TOKEN.key())).isTrue();
    }

    @Test
    void refundsNothingOnForwardListeners() {
        SpendLedger ledger = embedded();
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.FORWARD));
        channel.writeInbound(exchange);

        exchange.end();

        assertThat(ledger.knownSpent(TOKEN.key())).isTrue();
    }

    @Test
    void refundsWhenTheClientDisconnectsDuringTheSpend() {
        SpendLedger ledger = embedded();
        EmbeddedChannel channel = channel(ledger, KeyDefaults.of(LedgerSettings.class));
        Exchange exchange = withToken(exchange(channel, ListenerInfo.Mode.REVERSE));
        exchange.end();

        channel.writeInbound(exchange);

        assertThat(channel.<Exchange>readInbound()).isNull();
        assertThat(ledger.knownSpent(TOKEN.key())).isFalse();
    }

    private SpendLedger embedded() {
        return SpendLedgers.open(
                KeyDefaults.of(LedgerSettings.class),
                new LedgerEnvironment("test", registry, CLOCK, Ticker.systemTicker(), List.of()));
    }

    private EmbeddedChannel channel(SpendLedger ledger, LedgerSettings settings) {
        return StageChannel.of(new SpendStage(
                ledger,
                challenger,
                settings,
                meters,
                new SpendStage.Terms(Enforcement.STRICT, null),
                Ticker.systemTicker()));
    }

    private static LedgerSettings accepting() {
        LedgerSettings defaults = KeyDefaults.of(LedgerSettings.class);
        return new LedgerSettings(
                defaults.store(),
                defaults.deadline(),
                WhenUnknown.ACCEPT,
                defaults.whenForgotten(),
                defaults.refund(),
                defaults.embedded(),
                defaults.memcached());
    }

    private static Exchange exchange(EmbeddedChannel channel, ListenerInfo.Mode mode) {
        ListenerInfo listener = new ListenerInfo("web", mode, "", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 1, false);
        return RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        client,
                        new RequestHead().target("/", ""),
                        new Exchange.Carrier(RequestBody.EMPTY, new RecordedResponse(), PipelineTurn.NOW),
                        new Timeline(channel.eventLoop().ticker())));
    }

    private static Exchange withToken(Exchange exchange) {
        exchange.put(Redemption.KEY, TOKEN);
        exchange.credential(new Credential(new byte[16], false));
        return exchange;
    }

    private static boolean spent(Exchange exchange) {
        Credential credential = exchange.credential();
        return credential != null && credential.spent();
    }

    private long timed(String result) {
        return meters.checks().of(result).count();
    }

    /** Returns UNKNOWN for all spends and records refunds. */
    private static final class SilentLedger implements SpendLedger {

        private final List<PendingSpend> refunded = new ArrayList<>();
        private boolean busy;

        @Override
        public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
            listener.responded(new PendingSpend() {
                @Override
                public SpendResult result() {
                    return SpendResult.UNKNOWN;
                }

                @Override
                public boolean busy() {
                    return busy;
                }
            });
        }

        @Override
        public boolean knownSpent(byte[] key) {
            return false;
        }

        @Override
        public void refund(PendingSpend pendingSpend) {
            refunded.add(pendingSpend);
        }

        @Override
        public byte[] epoch() {
            return new byte[0];
        }

        @Override
        public LedgerHealth health() {
            return new LedgerHealth(false, Map.of());
        }

        @Override
        public void close() {}
    }
}
