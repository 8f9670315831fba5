package dev.postern.app.mapping;

import dev.postern.app.trace.Collector;
import dev.postern.app.trace.TraceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the collector of traces from their settings. */
public final class TraceMapping {

    private TraceMapping() {}

    /** Returns the collector, or null if tracing is off. Throws {@link IllegalStateException} with the error in the headers file. */
    public static @Nullable Collector of(TraceSettings tracing) {
        String endpoint = tracing.endpoint();
        return endpoint == null
                ? null
                : new Collector(Collector.uri(endpoint), fields(tracing.headersFile()), tracing.deadline());
    }

    private static Map<String, String> fields(@Nullable String file) {
        try {
            return file == null ? Map.of() : Collector.fields(Path.of(file));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "tracing.headers-file: " + file + " (expected: a file that can be read)", e);
        }
    }
}
