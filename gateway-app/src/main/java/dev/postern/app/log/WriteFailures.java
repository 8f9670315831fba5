package dev.postern.app.log;

import dev.postern.core.rate.LogRateLimiter;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.ErrorHandler;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.jspecify.annotations.Nullable;

/**
 * Reports write failures of the log, such as a full disk or a closed pipe, in one line per minute at most. Log4j's own handler prints stack
 * traces. Thread-safe.
 */
public final class WriteFailures implements ErrorHandler {

    private final LogRateLimiter limiter;
    private final Consumer<String> out;

    /** @param out consumes the line; not the log */
    WriteFailures(Consumer<String> out, Ticker ticker) {
        this.out = out;
        this.limiter = new LogRateLimiter(Duration.ofMinutes(1), ticker);
    }

    /** Installs a handler in each appender of the program's log. */
    public static void watch() {
        WriteFailures handler = new WriteFailures(System.err::println, Ticker.systemTicker());
        for (Appender appender : LoggerContext.getContext(false)
                .getConfiguration()
                .getAppenders()
                .values()) {
            appender.setHandler(handler);
        }
    }

    @Override
    public void error(String message) {
        error(message, null);
    }

    @Override
    public void error(String message, @Nullable LogEvent event, @Nullable Throwable failure) {
        error(message, failure);
    }

    @Override
    public void error(String message, @Nullable Throwable failure) {
        if (limiter.tryAcquire()) {
            out.accept("postern: the log can't be written: " + reason(message, failure)
                    + "; lines are lost, those of exchanges are counted in postern_log_lost_total");
        }
    }

    private static String reason(String message, @Nullable Throwable failure) {
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        return cause == null || cause.getMessage() == null ? message : cause.getMessage();
    }
}
