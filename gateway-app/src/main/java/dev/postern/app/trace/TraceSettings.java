package dev.postern.app.trace;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of traces, section {@code tracing} of the configuration: OpenTelemetry spans, without token, address, path or destination. */
public record TraceSettings(
        @Key(
                or = "null",
                says = "Collector URL (OTLP over HTTP, protobuf), such as `http://collector:4318/v1/traces`. `null`:"
                        + " no traces; `traceparent` is forwarded unchanged.")
        @Nullable
        String endpoint,

        @Key(
                or = "null",
                says = "File with fields of requests to the collector, such as credentials; one `Name: value` per"
                        + " line.")
        @Nullable
        String headersFile,

        @Key(or = "1%", says = "Share of exchanges that are traced, if no trusted parent decides.")
        Share sample,

        @Key(
                formerly = "accept",
                or = "trusted",
                says = "Clients whose `traceparent` is continued; from others it is removed, because it could force or"
                        + " link traces.")
        TrustParent trustParent,

        @Key(or = "postern", says = "Name of this gateway in traces.")
        String serviceName,

        @Key(or = "5s", says = "Maximum wait for the collector; then spans are dropped.")
        Duration deadline) {

    public TraceSettings {
        Checks checks = Checks.of().name("service-name", serviceName).between("deadline", deadline, "10ms", "1m");
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
