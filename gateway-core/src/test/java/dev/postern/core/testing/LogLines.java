package dev.postern.core.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Lines that a class logs while this is open. */
public final class LogLines implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AbstractAppender appender = new AbstractAppender("lines", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
        }
    };

    public LogLines(Class<?> source) {
        logger = (Logger) LogManager.getLogger(source);
        appender.start();
        logger.addAppender(appender);
    }

    /** Returns the lines so far. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.removeAppender(appender);
    }
}
