package dev.postern.app.admin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Lines that one class logs until this is closed. */
final class CapturedLog implements AutoCloseable {

    private final Logger logger;
    private final Lines lines = new Lines();

    CapturedLog(Class<?> type) {
        logger = (Logger) LogManager.getLogger(type);
        lines.start();
        logger.addAppender(lines);
    }

    List<String> lines() {
        return lines.received;
    }

    @Override
    public void close() {
        logger.removeAppender(lines);
        lines.stop();
    }

    private static final class Lines extends AbstractAppender {

        private final List<String> received = new CopyOnWriteArrayList<>();

        Lines() {
            super("captured", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            received.add(event.getMessage().getFormattedMessage());
        }
    }
}
