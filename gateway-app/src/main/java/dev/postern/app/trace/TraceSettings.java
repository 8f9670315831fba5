package dev.postern.app.trace;

import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import dev.postern.core.config.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of traces, section {@code tracing} of the configuration: OpenTelemetry spans, without token, address, path or destination. */
public record TraceSettings(
        @Key(
                defaultValue = "null",
                description =
                        "Collector URL (OTLP over HTTP, protobuf), such as `http://collector:4318/v1/traces`. `null`:"
                                + " no traces; `traceparent` is forwarded unchanged.")
        @Nullable
        String endpoint,

        @Key(
                defaultValue = "null",
                file = FileKind.SECRET,
                description =
                        "File with fields of requests to the collector, such as credentials; one `Name: value` per"
                                + " line.")
        @Nullable
        String headersFile,

        @Key(defaultValue = "1%", description = "Share of exchanges that are traced, if no trusted parent decides.")
        Share sample,

        @Key(
                formerly = "accept",
                defaultValue = "trusted",
                description =
                        "Clients whose `traceparent` is continued; from others it is removed, because it could force or"
                                + " link traces.")
        TrustParent trustParent,

        @Key(defaultValue = "postern", description = "Name of this gateway in traces.")
        String serviceName,

        @Key(
                defaultValue = "5s",
                min = "10ms",
                max = "1m",
                description = "Maximum wait for the collector; then spans are dropped.")
        Duration deadline) {

    public TraceSettings {
        Checks checks = Checks.of().name("service-name", serviceName);
        if (endpoint != null) {
            checks.parses("endpoint", "(hidden)", () -> Collector.uri(endpoint));
        }
        checks.done();
    }

    /** Trust in the {@code traceparent} of clients. */
    public enum TrustParent {
        TRUSTED,
        ALL,
        NONE
    }
}
