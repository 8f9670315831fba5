package dev.postern.app.mapping;

import dev.postern.app.log.LogSettings;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.ConsoleAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to levels and format of the program's log. */
public final class LogMapping {

    /** Appender of log4j2.xml; the format of a log without this appender is that of its own configuration. */
    private static final String TEXT = "console";

    private static final String JSON = "json";
    private static final String ECS = "classpath:EcsLayout.json";

    private LogMapping() {}

    /** Sets level and format. Libraries log at INFO at most, since their DEBUG messages contain addresses of peers. */
    public static void apply(LogSettings log) {
        Level wanted = Level.valueOf(log.level().name());
        Configurator.setRootLevel(wanted.isLessSpecificThan(Level.INFO) ? Level.INFO : wanted);
        Configurator.setLevel("dev.postern", wanted);
        format(LoggerContext.getContext(false), log.format());
    }

    static void format(LoggerContext context, LogSettings.Format format) {
        Configuration configuration = context.getConfiguration();
        @Nullable Appender text = configuration.getAppender(TEXT);
        LoggerConfig root = configuration.getRootLogger();
        boolean json = root.getAppenders().containsKey(JSON);
        if (text == null || json == (format == LogSettings.Format.JSON)) {
            return;
        }
        // Added first: without an appender between, a line of another thread would be lost.
        root.addAppender(json ? text : json(configuration, text), null, null);
        root.removeAppender(json ? JSON : TEXT);
        context.updateLoggers();
    }

    /** Creates the appender on first use, because its layout takes longer to load than any start without it should. */
    private static Appender json(Configuration configuration, Appender text) {
        @Nullable Appender existing = configuration.getAppender(JSON);
        if (existing != null) {
            return existing;
        }
        Appender created = ConsoleAppender.newBuilder()
                .setName(JSON)
                .setTarget(ConsoleAppender.Target.SYSTEM_ERR)
                .setDirect(true)
                .setConfiguration(configuration)
                .setLayout(JsonTemplateLayout.newBuilder()
                        .setConfiguration(configuration)
                        .setEventTemplateUri(ECS)
                        .build())
                .build();
        created.setHandler(text.getHandler());
        created.start();
        configuration.addAppender(created);
        return created;
    }
}
