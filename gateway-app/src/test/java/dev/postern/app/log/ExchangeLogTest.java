package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.log.LogSettings.ClientAddress;
import dev.postern.app.log.LogSettings.Level;
import dev.postern.app.log.LogSettings.Switch;
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
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.metrics.Meters;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.LogLines;
import dev.postern.core.testing.RecordedResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ExchangeLogTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> written = new CopyOnWriteArrayList<>();

    private static LogSettings settings(double successes, String to) {
        return new LogSettings(
                Level.INFO,
                LogSettings.Format.TEXT,
                new Share(successes),
                Duration.ofSeconds(1),
                Rate.of("0"),
                ClientAddress.OFF,
                Switch.OFF,
                Switch.OFF,
                new LogSettings.Exchanges(LogTarget.of(to), ByteSize.of("1MiB"), 1, List.of()));
    }

    private ExchangeLog log(double successes, LineOutput out) {
        return opening(successes, exchanges -> out);
    }

    private ExchangeLog opening(double successes, LineOutput.Opener outputs) {
        return new ExchangeLog(
                settings(successes, "stdout"),
                List.of(),
                InstantSource.system(),
                Ticker.newMockTicker(),
                registry,
                outputs);
    }

    private Exchange exchange(String path) {
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
        return RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 5, false),
                        new RequestHead().authority("site.example").target(path, ""),
                        new Exchange.Carrier(RequestBody.EMPTY, new RecordedResponse(), PipelineTurn.NOW),
                        new Timeline(Ticker.newMockTicker())));
    }

    private Exchange exchange(String path, Duration time) {
        Exchange exchange = exchange(path);
        exchange.timeline().mark(StageName.RESPOND, time.toNanos());
        return exchange;
    }

    private double lost() {
        return registry.get(Meters.LOG_LOST.meter()).counter().count();
    }

    @Test
    void writesSlowExchangesWithoutSuccesses() {
        try (ExchangeLog log = log(0, written::addAll)) {
            log.ended(exchange("/quick", Duration.ofMillis(999)));
            log.ended(exchange("/slow", Duration.ofSeconds(1)));
        }
        assertThat(written).hasSize(1);
        assertThat(written.get(0)).contains("\"/slow\"");
    }

    @Test
    void aBlockedWriterDelaysNothingAndDroppedLinesAreCounted() {
        CountDownLatch goOn = new CountDownLatch(1);
        int exchanges = 3 * ExchangeLog.QUEUE;
        try (ExchangeLog log = log(1, lines -> {
            awaitQuietly(goOn);
            written.addAll(lines);
        })) {
            for (int i = 0; i < exchanges; i++) {
                log.ended(exchange("/" + i)); // on this thread, which would be blocked with it
            }
            assertThat(lost()).isBetween((double) ExchangeLog.QUEUE, 2.0 * ExchangeLog.QUEUE);
            goOn.countDown();
            await().until(() -> written.size() + lost() == exchanges);
        }
        assertThat(written.get(0)).contains("\"/0\"");
        assertThat(written.get(1)).contains("\"/1\"");
    }

    @Test
    void limitsPendingLinesAndLosesNone() {
        CountDownLatch goOn = new CountDownLatch(1);
        List<Integer> batches = new CopyOnWriteArrayList<>();
        int exchanges = 0;
        try (ExchangeLog log = log(1, lines -> {
            batches.add(lines.size());
            awaitQuietly(goOn);
            written.addAll(lines);
        })) {
            for (; batches.isEmpty() || lost() == 0; exchanges++) {
                log.ended(exchange("/"));
            }
            goOn.countDown();
            for (; batches.size() < 3; exchanges++) {
                log.ended(exchange("/"));
            }
        }
        assertThat(batches).allMatch(lines -> lines <= ExchangeLog.QUEUE);
        assertThat(written.size() + lost()).isEqualTo(exchanges);
    }

    @Test
    void countsLinesThatCannotBeWrittenAndContinues() {
        AtomicBoolean full = new AtomicBoolean(true);
        try (ExchangeLog log = log(1, lines -> {
            if (full.get()) {
                throw new IllegalStateException("No space left on device");
            }
            written.addAll(lines);
        })) {
            log.ended(exchange("/lost"));
            await().until(() -> lost() == 1);
            full.set(false);
            log.ended(exchange("/kept"));
        }
        assertThat(written).hasSize(1);
        assertThat(written.get(0)).contains("\"/kept\"");
        assertThat(lost()).isEqualTo(1);
    }

    /** Each target is open while it is configured, and no longer. */
    @Test
    void changesTheOutputWithTheSettings() {
        List<String> calls = new CopyOnWriteArrayList<>();
        LineOutput.Opener outputs = exchanges -> new LineOutput() {
            @Override
            public void write(List<String> lines) {
                calls.add(exchanges.to() + " " + lines.size());
            }

            @Override
            public void close() {
                calls.add(exchanges.to() + " closed");
            }
        };
        try (ExchangeLog log = opening(1, outputs)) {
            log.ended(exchange("/first"));
            await().until(() -> calls.size() == 1);
            log.settings(settings(1, "file:/somewhere/lines"));
            log.ended(exchange("/second"));
            await().until(() -> calls.size() == 3);
        }

        assertThat(calls)
                .containsExactly(
                        "stdout 1", "stdout closed", "file:/somewhere/lines 1", "file:/somewhere/lines closed");
    }

    @Test
    void reportsWhyATargetTakesNoLines() {
        try (LogLines reports = new LogLines(ExchangeLog.class);
                ExchangeLog log = log(1, lines -> {
                    throw new IOException("Connection refused");
                })) {
            for (int i = 1; i <= 3; i++) {
                int lines = i;
                log.ended(exchange("/lost"));
                await().until(() -> lost() == lines);
            }

            assertThat(reports.lines())
                    .singleElement()
                    .asString()
                    .contains("stdout takes no lines: Connection refused");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void writesQueuedLinesOnClose() {
        try (ExchangeLog log = log(1, written::addAll)) {
            for (int i = 0; i < 100; i++) {
                log.ended(exchange("/" + i));
            }
        }

        assertThat(written).hasSize(100);
        assertThat(written.get(99)).contains("\"/99\"");
    }

    @Test
    void writesRefusalsWithoutSuccesses() {
        try (ExchangeLog log = log(0, written::addAll)) {
            log.ended(exchange("/good"));
            Exchange refused = exchange("/bad");
            refused.refuse(Refusal.INTERNAL);
            log.ended(refused);
        }

        assertThat(written).hasSize(1);
        assertThat(written.get(0)).contains("\"/bad\"");
    }
}
