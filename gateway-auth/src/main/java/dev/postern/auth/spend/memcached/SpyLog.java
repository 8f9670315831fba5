package dev.postern.auth.spend.memcached;

import java.util.function.Consumer;
import net.spy.memcached.compat.log.AbstractLogger;
import net.spy.memcached.compat.log.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What spymemcached says of a connection: kept out of the log unless it is asked for, since it says it each second; the causes are taken. */
final class SpyLog extends AbstractLogger {

    private static final Logger LOG = LoggerFactory.getLogger(SpyLog.class);

    private final Consumer<Throwable> causes;

    /** @param causes of failures, as they come */
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

    /** Else the causes would not come. */
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
