package dev.postern.app.mapping;

import dev.postern.app.config.TracingConfig;
import dev.postern.app.trace.Collector;
import dev.postern.app.trace.TraceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of traces. */
public final class TraceMapping {

    private TraceMapping() {}

    /**
     * Returns the settings, or null if tracing is off. Throws {@link IllegalStateException} with the error in the headers file.
     *
     * @param base the directory that relative file names start from
     */
    public static @Nullable TraceSettings of(TracingConfig tracing, Path base) {
        String endpoint = tracing.endpoint();
        if (endpoint == null) {
            return null;
        }
        return new TraceSettings(
                new Collector(Collector.uri(endpoint), fields(tracing.headersFile(), base), tracing.deadline()),
                tracing.sample().fraction(),
                switch (tracing.trustParent()) {
                    case TRUSTED -> TraceSettings.Accept.TRUSTED;
                    case ALL -> TraceSettings.Accept.ALL;
                    case NONE -> TraceSettings.Accept.NONE;
                },
                tracing.serviceName());
    }

    private static Map<String, String> fields(@Nullable String file, Path base) {
        try {
            return file == null ? Map.of() : Collector.fields(base.resolve(file));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "tracing.headers-file: " + file + " (expected: a file that can be read)", e);
        }
    }
}
