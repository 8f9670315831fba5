package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for each refusal, enforced or only reported, up to a rate, and for a share of the rest, on a thread of its own. Lines past
 * the rate, those that it can't keep up with, and those that can't be written are left out and counted; no event loop waits. Thread-safe.
 */
public final class ExchangeLog implements Exchange.EndListener, AutoCloseable {

    static final int QUEUE = 8192;

    /** Lines of so long are written at once, while they are few: waking a thread and asking the kernel cost many times what a line does. */
    private static final long LONGEST_PAUSE_MILLIS = 50;

    /** As many are wanted at once when they are many: a quarter, so that only a sudden flood fills the queue in a pause. */
    private static final int BATCH = QUEUE / 4;

    private final List<ExtensionLoader.ExtraField> extra;
    private final InstantSource clock;
    private final Counter lost;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer;
    private volatile Wanted wanted;

    /**
     * @param extra fields of users
     * @param out takes some lines, one at least, without their ends; throws where they can't be written; called by one thread only
     */
    public ExchangeLog(
            LogSettings settings,
            List<ExtensionLoader.ExtraField> extra,
            InstantSource clock,
            MeterRegistry registry,
            Consumer<List<String>> out) {
        this.extra = List.copyOf(extra);
        this.wanted = Wanted.of(settings, this.extra);
        this.clock = clock;
        this.lost = Meters.LOG_LOST.counter(registry);
        this.writer = new Thread(() -> write(out), "postern-exchange-log");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    /** What is wanted of lines, made once. */
    private record Wanted(double successes, @Nullable LogRateLimiter refusals, ExchangeLine line) {

        static Wanted of(LogSettings settings, List<ExtensionLoader.ExtraField> extra) {
            return new Wanted(
                    settings.successes(),
                    settings.refusals() == null ? null : new LogRateLimiter(settings.refusals()),
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
        LogRateLimiter refusals = now.refusals();
        if (succeeded(exchange)) {
            if (ThreadLocalRandom.current().nextDouble() >= now.successes()) {
                return;
            }
        } else if (refusals != null && !refusals.tryAcquire()) {
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

    /** As many as the queue holds at most, the line that was waited for among them. */
    private int write(List<String> lines, Consumer<List<String>> out) {
        queue.drainTo(lines, QUEUE - lines.size());
        int count = lines.size();
        if (count > 0) {
            try {
                out.accept(List.copyOf(lines));
            } catch (RuntimeException e) { // a full disk, a reader that is gone: the next lines are tried again
                lost.increment(count);
            }
            lines.clear();
        }
        return count;
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
