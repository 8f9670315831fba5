package dev.postern.auth.spend.memcached.spy;

import java.util.function.Consumer;
import net.spy.memcached.compat.log.AbstractLogger;
import net.spy.memcached.compat.log.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logger for spymemcached: logs at DEBUG, since the library repeats its messages every second, and passes on causes of failures. */
final class SpyLog extends AbstractLogger {

    private static final Logger LOG = LoggerFactory.getLogger(SpyLog.class);

    private final Consumer<Throwable> causes;

    /** @param causes takes the causes of failures */
    SpyLog(Consumer<Throwable> causes) {
        super(SpyLog.class.getName());
        this.causes = causes;
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    /** Returns true, since the library would otherwise not pass the causes. */
    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public void log(Level level, Object message, @Nullable Throwable cause) {
        LOG.debug("{}", message, cause);
        if (cause != null) {
            causes.accept(cause);
        }
    }
}
