package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.Gcra;
import dev.postern.core.rate.LogRateLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of exchanges: writes a line for each refusal, enforced or only reported, up to a rate, and for a share of the other exchanges, on a
 * thread of its own. Lines beyond the rate or the capacity of the queue, and lines that can't be written, are dropped and counted; no event
 * loop waits. Thread-safe.
 */
public final class ExchangeLog implements Exchange.EndListener, AutoCloseable {

    static final int QUEUE = 8192;

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeLog.class);

    /** Time for which lines are collected at low load. Waking a thread and the system call cost many times as much as a line. */
    private static final long LONGEST_PAUSE_MILLIS = 50;

    /**
     * Wanted number of lines per write at high load: a quarter of the queue, so that only a sudden burst fills the queue during a pause.
     */
    private static final int BATCH = QUEUE / 4;

    private final List<ExtensionLoader.ExtraField> extra;
    private final InstantSource clock;
    private final Ticker ticker;
    private final Counter lost;
    private final LogRateLimiter failures;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer;
    private volatile Wanted wanted;

    /**
     * @param extra fields of extensions
     * @param outputs opens the configured output, on the thread of the log
     */
    public ExchangeLog(
            LogSettings settings,
            List<ExtensionLoader.ExtraField> extra,
            InstantSource clock,
            Ticker ticker,
            MeterRegistry registry,
            LineOutput.Opener outputs) {
        this.extra = List.copyOf(extra);
        this.wanted = Wanted.of(settings, this.extra, ticker);
        this.clock = clock;
        this.ticker = ticker;
        this.failures = new LogRateLimiter(Duration.ofMinutes(1), ticker);
        this.lost = Meters.LOG_LOST.counter(registry);
        this.writer = new Thread(() -> write(new ConfiguredOutput(outputs)), "postern-exchange-log");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    /** Settings in the form used per exchange, created once. */
    private record Wanted(
            double successes,
            long slow,
            @Nullable LogRateLimiter refusals,
            ExchangeLine line,
            LogSettings.Exchanges exchanges) {

        static Wanted of(LogSettings settings, List<ExtensionLoader.ExtraField> extra, Ticker ticker) {
            @Nullable Gcra refusals = settings.refusalRate().gcra();
            return new Wanted(
                    settings.successes().fraction(),
                    settings.slow().isZero() ? Long.MAX_VALUE : settings.slow().toNanos(),
                    refusals == null ? null : new LogRateLimiter(refusals, ticker),
                    new ExchangeLine(settings, extra),
                    settings.exchanges());
        }
    }

    /** Replaces the settings for later lines. */
    public void settings(LogSettings settings) {
        wanted = Wanted.of(settings, extra, ticker);
    }

    @Override
    public void ended(Exchange exchange) {
        Wanted now = wanted;
        LogRateLimiter refusals = now.refusals();
        if (succeeded(exchange)) {
            if (exchange.timeline().total() < now.slow()
                    && ThreadLocalRandom.current().nextDouble() >= now.successes()) {
                return;
            }
        } else if (refusals != null && !refusals.tryAcquire()) {
            lost.increment();
            return;
        }
        // The line is created here, because the head of an exchange is reused once the exchange has ended. No line is
        // created for a full
        // queue: under overload that would only load the event loop.
        if (queue.remainingCapacity() == 0 || !queue.offer(now.line().of(exchange, clock.instant()))) {
            lost.increment();
        }
    }

    private static boolean succeeded(Exchange exchange) {
        return exchange.outcome().refusal() == null
                && exchange.outcome().reported() == null
                && !exchange.outcome().cut();
    }

    private void write(ConfiguredOutput out) {
        List<String> lines = new ArrayList<>();
        long pause = LONGEST_PAUSE_MILLIS;
        try {
            while (true) {
                lines.add(queue.take());
                Thread.sleep(pause);
                int written = write(lines, out);
                pause = Math.min(LONGEST_PAUSE_MILLIS, Math.max(1, pause * BATCH / written));
            }
        } catch (InterruptedException e) {
            do {
                write(lines, out);
            } while (!queue.isEmpty());
            out.close();
        }
    }

    /** Writes at most one queue of lines, including the line that was waited for. */
    private int write(List<String> lines, ConfiguredOutput out) {
        queue.drainTo(lines, QUEUE - lines.size());
        int count = lines.size();
        if (count > 0) {
            out.write(List.copyOf(lines));
            lines.clear();
        }
        return count;
    }

    /** Output in force, which counts and reports lines that can't be written. Confined to the thread of the log. */
    private final class ConfiguredOutput {

        private final LineOutput.Opener outputs;
        private LogSettings.@Nullable Exchanges opened;
        private LineOutput output = lines -> {};

        ConfiguredOutput(LineOutput.Opener outputs) {
            this.outputs = outputs;
        }

        void write(List<String> lines) {
            LogSettings.Exchanges now = wanted.exchanges();
            if (!now.equals(opened)) {
                close();
                output = outputs.open(now);
                opened = now;
            }
            try {
                output.write(lines);
            } catch (IOException e) { // a full disk, a server that is away: later lines are tried again
                lost.increment(lines.size());
                if (failures.tryAcquire()) {
                    LOG.warn(
                            "log.exchanges.to: {} takes no lines: {}; lost lines are counted in postern_log_lost_total",
                            now.to(),
                            e.getMessage());
                }
            } catch (RuntimeException e) { // by the appender of standard output, whose handler reports it
                lost.increment(lines.size());
            }
        }

        void close() {
            try {
                output.close();
            } catch (IOException e) {
                LOG.debug("log.exchanges.to: {}: {}", opened, e.getMessage());
            }
        }
    }

    /** Writes the queued lines and ends; waits two seconds at most. */
    @Override
    public void close() {
        writer.interrupt();
        try {
            writer.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
