package dev.postern.app.mapping;

import dev.postern.app.config.LogConfig;
import dev.postern.app.log.LogSettings;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;

/** Maps the configuration to the settings of the exchange log and to log levels. */
public final class LogMapping {

    private LogMapping() {}

    public static LogSettings of(LogConfig log) {
        return new LogSettings(
                log.successes().fraction(),
                log.refusalRate().gcra(),
                log.clientAddress() == LogConfig.ClientAddress.OFF
                        ? LogSettings.Address.OFF
                        : LogSettings.Address.TRUNCATED,
                log.destination() == LogConfig.Switch.ON,
                log.query() == LogConfig.Switch.ON);
    }

    /** Sets the log level of the program. Libraries log at INFO at most, since their DEBUG messages contain addresses of peers. */
    public static void level(LogConfig log) {
        Level wanted = Level.valueOf(log.level().name());
        Configurator.setRootLevel(wanted.isLessSpecificThan(Level.INFO) ? Level.INFO : wanted);
        Configurator.setLevel("dev.postern", wanted);
    }
}
