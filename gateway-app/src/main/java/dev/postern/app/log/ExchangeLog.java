package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Writes a line for each refusal, enforced or only reported, and for a share of the rest, on a thread of its own; when that can't keep up, lines are dropped and
 * counted, and no event loop waits. Thread-safe.
 */
public final class ExchangeLog implements Exchange.EndListener, AutoCloseable {

    private static final int QUEUE = 8192;

    private final LogSettings settings;
    private final ExchangeLine line;
    private final InstantSource clock;
    private final Counter lost;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer;

    /** @param out takes one line without its end; called by one thread only */
    public ExchangeLog(LogSettings settings, InstantSource clock, MeterRegistry registry, Consumer<String> out) {
        this.settings = settings;
        this.line = new ExchangeLine(settings);
        this.clock = clock;
        this.lost = Meters.LOG_LOST.counter(registry);
        this.writer = new Thread(() -> write(out), "postern-exchange-log");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    @Override
    public void ended(Exchange exchange) {
        boolean success = exchange.outcome().refusal() == null
                && exchange.outcome().reported() == null
                && !exchange.outcome().cut();
        if (success && ThreadLocalRandom.current().nextDouble() >= settings.successes()) {
            return;
        }
        // The line is made here: the head of an exchange is used again once the exchange has ended.
        if (!queue.offer(line.of(exchange, clock.instant()))) {
            lost.increment();
        }
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
