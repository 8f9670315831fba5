package dev.postern.app.profile;

import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Profiler that delegates to the best engine available on this system. Nothing is loaded before the first profile is requested. Used by one
 * thread at a time.
 */
public final class Profilers implements Profiler {

    private static final Logger LOG = LoggerFactory.getLogger(Profilers.class);

    private final Supplier<Profiler> best;
    private volatile @Nullable Profiler chosen;

    public Profilers() {
        this(() -> AsyncEngine.load(new KernelFrames(Path.of("/proc/kallsyms"))));
    }

    /** @param best throws any error of the JVM if the engine is not available */
    Profilers(Supplier<Profiler> best) {
        this.best = best;
    }

    @Override
    public Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException {
        Profiler profiler = chosen;
        if (profiler == null) {
            profiler = choose();
            chosen = profiler;
        }
        return profiler.take(event, length);
    }

    private Profiler choose() {
        try {
            return best.get();
        } catch (LinkageError | RuntimeException e) {
            LOG.warn("async-profiler can't be loaded; graphs are made by the flight recorder: {}", FailureText.of(e));
            return new JfrEngine("async-profiler can't be loaded here (" + FailureText.of(e) + ").");
        }
    }
}
