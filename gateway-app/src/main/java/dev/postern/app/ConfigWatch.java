package dev.postern.app;

import dev.postern.app.config.read.SourceFiles;
import dev.postern.app.reload.SourceWatch;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch of the configuration's files: reloads when they have changed, with {@code watch: true}. Compares content, not times or events of the
 * file system, which network file systems and replaced links do not have. Uses a thread of its own, since files block.
 */
final class ConfigWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);
    private static final int SECONDS = 1;

    private final BooleanSupplier wanted;
    private final Supplier<SourceFiles> read;
    private final Runnable reload;
    private final SourceWatch rule = new SourceWatch();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-watch", true));

    /**
     * @param wanted whether the configuration in force asks for it
     * @param read returns the files as they were read last
     */
    ConfigWatch(BooleanSupplier wanted, Supplier<SourceFiles> read, Runnable reload) {
        this.wanted = wanted;
        this.read = read;
        this.reload = reload;
    }

    /** Looks every second from now on. */
    void start() {
        thread.scheduleWithFixedDelay(this::look, SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    /** Looks once; reloads if the files have changed. */
    void look() {
        try {
            if (wanted.getAsBoolean() && rule.look(read.get())) {
                reload.run();
            }
        } catch (RuntimeException e) {
            // Thrown to the executor it would end the watch in silence.
            LOG.error("configuration: changed, but not reloaded", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
