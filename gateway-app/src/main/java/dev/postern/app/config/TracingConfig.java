package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigShare;
import dev.postern.app.config.type.Key;
import dev.postern.app.trace.Collector;
import org.jspecify.annotations.Nullable;

/** Who is told of single exchanges: spans of OpenTelemetry, without token, address, path or destination. */
public record TracingConfig(
        @Key(
                or = "null",
                says =
                        "URL of the collector that spans go to (OTLP over HTTP, protobuf), such as `http://collector:4318/v1/traces`. Without it"
                                + " nothing is traced, and `traceparent` passes as it came.")
        @Nullable
        String endpoint,

        @Key(
                or = "null",
                says =
                        "File with fields for each request to the collector, `Name: value` a line: its credentials, say.")
        @Nullable
        String headersFile,

        @Key(or = "1%", says = "Share of the exchanges that are traced, where nobody before us has decided it.")
        ConfigShare sample,

        @Key(
                formerly = "accept",
                or = "trusted",
                says =
                        "Whose `traceparent` is continued: that of `trusted` proxies, of `all`, or of `none`. Others' is taken away, since a stranger"
                                + " could have any exchange traced by it, and link exchanges.")
        TrustParent trustParent,

        @Key(or = "postern", says = "What this gateway is called in traces.")
        String serviceName,

        @Key(or = "5s", says = "Longest wait for the collector; spans that it has not taken then are left out.")
        ConfigDuration deadline) {

    public TracingConfig {
        Checks checks = Checks.of().name("service-name", serviceName).between("deadline", deadline, "10ms", "1m");
        if (endpoint != null) {
            checks.parses("endpoint", "(hidden)", () -> Collector.uri(endpoint));
        }
        checks.done();
    }

    /** Whose traces are continued. */
    public enum TrustParent {
        TRUSTED,
        ALL,
        NONE
    }
}
