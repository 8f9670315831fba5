package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.Extensions;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for each refusal, enforced or only reported, up to a rate, and for a share of the rest, on a thread of its own. Lines past
 * the rate, and those that it can't keep up with, are left out and counted; no event loop waits. Thread-safe.
 */
public final class ExchangeLog implements Exchange.EndListener, AutoCloseable {

    private static final int QUEUE = 8192;

    private final List<Extensions.ExtraField> extra;
    private final InstantSource clock;
    private final Counter lost;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer;
    private volatile Wanted wanted;

    /**
     * @param extra fields of users
     * @param out takes one line without its end; called by one thread only
     */
    public ExchangeLog(
            LogSettings settings,
            List<Extensions.ExtraField> extra,
            InstantSource clock,
            MeterRegistry registry,
            Consumer<String> out) {
        this.extra = List.copyOf(extra);
        this.wanted = Wanted.of(settings, this.extra);
        this.clock = clock;
        this.lost = Meters.LOG_LOST.counter(registry);
        this.writer = new Thread(() -> write(out), "postern-exchange-log");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    /** What is wanted of lines, made once. */
    private record Wanted(double successes, @Nullable LinePace refusals, ExchangeLine line) {

        static Wanted of(LogSettings settings, List<Extensions.ExtraField> extra) {
            return new Wanted(
                    settings.successes(),
                    settings.refusals() == null ? null : new LinePace(settings.refusals(), System::nanoTime),
                    new ExchangeLine(settings, extra));
        }
    }

    /** Lines are written so from now on. */
    public void settings(LogSettings settings) {
        wanted = Wanted.of(settings, extra);
    }

    @Override
    public void ended(Exchange exchange) {
        Wanted now = wanted;
        LinePace refusals = now.refusals();
        if (succeeded(exchange)) {
            if (ThreadLocalRandom.current().nextDouble() >= now.successes()) {
                return;
            }
        } else if (refusals != null && !refusals.take()) {
            lost.increment();
            return;
        }
        // The line is made here: the head of an exchange is used again once the exchange has ended. None is made for a
        // queue that is full: in a flood the loop has better things to do.
        if (queue.remainingCapacity() == 0 || !queue.offer(now.line().of(exchange, clock.instant()))) {
            lost.increment();
        }
    }

    private static boolean succeeded(Exchange exchange) {
        return exchange.outcome().refusal() == null
                && exchange.outcome().reported() == null
                && !exchange.outcome().cut();
    }

    private void write(Consumer<String> out) {
        try {
            while (true) {
                out.accept(queue.take());
            }
        } catch (InterruptedException e) {
            for (String rest = queue.poll(); rest != null; rest = queue.poll()) {
                out.accept(rest);
            }
        }
    }

    /** Writes what is queued and ends; waits two seconds at most. */
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
