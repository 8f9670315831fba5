package dev.postern.app.mapping;

import dev.postern.app.log.LogSettings;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;

/** Maps the configuration to log levels. */
public final class LogMapping {

    private LogMapping() {}

    /** Sets the log level of the program. Libraries log at INFO at most, since their DEBUG messages contain addresses of peers. */
    public static void level(LogSettings log) {
        Level wanted = Level.valueOf(log.level().name());
        Configurator.setRootLevel(wanted.isLessSpecificThan(Level.INFO) ? Level.INFO : wanted);
        Configurator.setLevel("dev.postern", wanted);
    }
}
