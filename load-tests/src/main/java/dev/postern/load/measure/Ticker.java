package dev.postern.load.measure;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Ticker that prints a progress line every few seconds until it is closed. */
public final class Ticker implements AutoCloseable {
    private static final long SECONDS = 5;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    public Ticker(Supplier<String> line) {
        timer.scheduleAtFixedRate(() -> Progress.say("  " + line.get()), SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
