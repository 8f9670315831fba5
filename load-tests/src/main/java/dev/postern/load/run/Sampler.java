package dev.postern.load.run;

import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Progress;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sampler that reads a gateway's figures at given times on a thread of its own, until it is closed. */
public final class Sampler implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sampler");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Sample> samples = new CopyOnWriteArrayList<>();
    private final long start = System.nanoTime();
    private final @Nullable URI metrics;
    private final long pid;
    private final SampleTimes times;
    private long second;

    /**
     * Starts to sample.
     *
     * @param metrics null: unknown
     * @param pid of a gateway on this machine; 0: unknown
     */
    public Sampler(@Nullable URI metrics, long pid, SampleTimes times) {
        this.metrics = metrics;
        this.pid = pid;
        this.times = times;
        timer.scheduleAtFixedRate(this::tick, 0, 1, TimeUnit.SECONDS);
    }

    private void tick() {
        if (times.contains(second++)) {
            sample();
        }
    }

    private void sample() {
        try {
            MetricsPage page = metrics == null ? MetricsPage.parse("") : MetricsPage.read(metrics);
            samples.add(Sample.of((System.nanoTime() - start) / 1e9, page, pid));
        } catch (UncheckedIOException e) {
            // A sample that is missing shows in the number of samples.
            Progress.say("no sample: " + e.getCause());
        }
    }

    /** Returns the samples so far. */
    public Samples samples() {
        return new Samples(List.copyOf(samples));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
