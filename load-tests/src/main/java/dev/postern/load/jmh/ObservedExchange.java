package dev.postern.load.jmh;

import dev.postern.app.log.ExchangeLog;
import dev.postern.app.log.FailureBuffer;
import dev.postern.app.log.LogSettings;
import dev.postern.app.log.LogSettings.ClientAddress;
import dev.postern.app.log.LogSettings.Level;
import dev.postern.app.log.LogSettings.Switch;
import dev.postern.app.log.LogTarget;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.handler.VerifyMeters;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.VerificationResult;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.pipeline.ExchangeMeters;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.RecordedResponse;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Observed exchange: all that the gateway measures and records of one exchange with a token that memcached doesn't
 * know, by the gateway's own classes and registry, and nothing else of the exchange.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ObservedExchange {

    /**
     * Stages whose time an exchange records when it has a token and no waiting room, its head arrives in one piece, and
     * the pool lends a connection at once.
     */
    private static final List<StageName> STAGES = List.of(
            StageName.MATCH, StageName.IDENTIFY, StageName.VERIFY, StageName.SPEND, StageName.RESPOND, StageName.SEND);

    private static final int DEADLINES = 2;
    private static final int SPEND_PARTS = 3;
    private static final VerificationResult GOOD = new VerificationResult.Good(Instant.EPOCH, false, null);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final StageTimes stages = new StageTimes();
    private final ExchangeMeters meters = new ExchangeMeters(registry, stages);
    private final SpendMeters spends = new SpendMeters(registry);
    private final VerifyMeters verifications = new VerifyMeters();
    private final FailureBuffer buffer = new FailureBuffer(InstantSource.system(), Ticker.systemTicker());
    private final ExchangeLog log = log(0.01);
    private final ExchangeLog wholeLog = log(1);
    private final Exchange exchange = exchange();
    private final PendingSpend spend = new Fresh();

    private ExchangeLog log(double successes) {
        LogSettings settings = new LogSettings(
                Level.INFO,
                LogSettings.Format.TEXT,
                new Share(successes),
                Duration.ZERO,
                Rate.of("0"),
                ClientAddress.TRUNCATED,
                Switch.OFF,
                Switch.OFF,
                new LogSettings.Exchanges(LogTarget.of("stdout"), ByteSize.of("1MiB"), 1, List.of()));
        return new ExchangeLog(
                settings, List.of(), InstantSource.system(), Ticker.systemTicker(), registry, exchanges -> lines -> {});
    }

    private Exchange exchange() {
        RequestHead head = new RequestHead().authority("site.example").target("/p", "");
        head.add(FieldName.AUTHORIZATION, "PrivateToken token=abc");
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 5, false);
        return RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        client,
                        head,
                        new Exchange.Carrier(RequestBody.EMPTY, new RecordedResponse(), PipelineTurn.NOW),
                        new Timeline(Ticker.systemTicker())));
    }

    @Setup
    public void response() {
        long now = exchange.now();
        exchange.outcome().status(200);
        exchange.outcome().upstream("app");
        exchange.outcome().requestSent(now);
        exchange.outcome().responseBegan(now + 4_000_000);
    }

    @TearDown
    public void close() {
        log.close();
        wholeLog.close();
    }

    /** Measures everything that is on by default. */
    @Benchmark
    public void everything(Blackhole sink) {
        stageTimes();
        spendParts(sink);
        checks();
        meters.ended(exchange);
        buffer.ended(exchange);
        log.ended(exchange);
    }

    /** Measures the instants between the stages. */
    @Benchmark
    public void stageTimes() {
        Timeline timeline = exchange.timeline();
        timeline.restart();
        for (StageName stage : STAGES) {
            timeline.mark(stage);
        }
    }

    /**
     * Measures the instants that deadlines need with or without observation: a response begins, the client's connection
     * is idle again.
     */
    @Benchmark
    public void deadlines(Blackhole sink) {
        for (int i = 0; i < DEADLINES; i++) {
            sink.consume(System.nanoTime());
        }
    }

    /**
     * Measures the instants that divide a spend check, on whichever thread: write requested, written, response
     * received.
     */
    @Benchmark
    public void spendParts(Blackhole sink) {
        for (int i = 0; i < SPEND_PARTS; i++) {
            sink.consume(System.nanoTime());
        }
    }

    /** Measures the timers of signature and spend. */
    @Benchmark
    public void checks() {
        long now = exchange.timeline().lastNanos();
        verifications.record(exchange, TokenType.BLIND_RSA, GOOD, 40_000);
        spends.record(exchange, spend, now - 90_000, now);
    }

    /** Measures counters and histograms at the end of an exchange. */
    @Benchmark
    public void counters() {
        meters.ended(exchange);
    }

    /** Measures the decision whether the exchange belongs into log and capsules. */
    @Benchmark
    public void logs() {
        buffer.ended(exchange);
        log.ended(exchange);
    }

    /** Measures the same decision where each exchange gets a log line. */
    @Benchmark
    public void everyLine() {
        buffer.ended(exchange);
        wholeLog.ended(exchange);
    }

    private static final class Fresh implements PendingSpend {
        private static final SpendLatency TIMES = new SpendLatency(15_000, 8_000, 12_000);

        @Override
        public SpendResult result() {
            return SpendResult.FRESH;
        }

        @Override
        public boolean busy() {
            return false;
        }

        @Override
        public SpendLatency times(long startNanos, long nowNanos) {
            return TIMES;
        }
    }
}
