package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.Gcra;
import dev.postern.core.rate.LogRateLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Log of exchanges: writes a line for each refusal, enforced or only reported, up to a rate, and for a share of the other exchanges, on a
 * thread of its own. Lines beyond the rate or the capacity of the queue, and lines that can't be written, are dropped and counted; no event
 * loop waits. Thread-safe.
 */
public final class ExchangeLog implements Exchange.EndListener, AutoCloseable {

    static final int QUEUE = 8192;

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
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer;
    private volatile Wanted wanted;

    /**
     * @param extra fields of extensions
     * @param out consumes one or more lines without line ends; throws if they can't be written; called by one thread only
     */
    public ExchangeLog(
            LogSettings settings,
            List<ExtensionLoader.ExtraField> extra,
            InstantSource clock,
            Ticker ticker,
            MeterRegistry registry,
            Consumer<List<String>> out) {
        this.extra = List.copyOf(extra);
        this.wanted = Wanted.of(settings, this.extra, ticker);
        this.clock = clock;
        this.ticker = ticker;
        this.lost = Meters.LOG_LOST.counter(registry);
        this.writer = new Thread(() -> write(out), "postern-exchange-log");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    /** Settings in the form used per exchange, created once. */
    private record Wanted(
            double successes, long slow, @Nullable LogRateLimiter refusals, ExchangeLine line) {

        static Wanted of(LogSettings settings, List<ExtensionLoader.ExtraField> extra, Ticker ticker) {
            @Nullable Gcra refusals = settings.refusalRate().gcra();
            return new Wanted(
                    settings.successes().fraction(),
                    settings.slow().isZero() ? Long.MAX_VALUE : settings.slow().toNanos(),
                    refusals == null ? null : new LogRateLimiter(refusals, ticker),
                    new ExchangeLine(settings, extra));
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

    private void write(Consumer<List<String>> out) {
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
        }
    }

    /** Writes at most one queue of lines, including the line that was waited for. */
    private int write(List<String> lines, Consumer<List<String>> out) {
        queue.drainTo(lines, QUEUE - lines.size());
        int count = lines.size();
        if (count > 0) {
            try {
                out.accept(List.copyOf(lines));
            } catch (RuntimeException e) { // a full disk, a closed pipe: later lines are tried again
                lost.increment(count);
            }
            lines.clear();
        }
        return count;
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
