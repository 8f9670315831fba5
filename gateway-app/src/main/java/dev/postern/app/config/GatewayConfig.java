package dev.postern.app.config;

import dev.postern.app.log.LogSettings;
import dev.postern.app.trace.TraceSettings;
import dev.postern.auth.AuthSettings;
import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.overload.OverloadSettings;
import dev.postern.core.route.ForwardSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configuration of one gateway: the root of all sections. */
public record GatewayConfig(
        @Key(defaultValue = "{}", description = "Identity of this gateway.", restart = true)
        Instance instance,

        @Key(defaultValue = "{}", description = "Secrets that all replicas share.")
        Secrets secrets,

        @Key(defaultValue = "[]", description = "Addresses for clients.")
        List<ListenerConfig> listeners,

        @Key(
                defaultValue = "{}",
                description = "[Address for operators](admin.md). Only changes of tokens need no restart.")
        AdminConfig admin,

        @Key(defaultValue = "{}", description = "Sockets, event loops and buffers.", restart = true)
        TransportConfig transport,

        @Key(defaultValue = "{}", description = "Limits of client connections and requests.")
        ConnectionSettings limits,

        @Key(
                defaultValue = "{}",
                needs = {"listeners[].protocols: h2", "upstreams[].protocol: h2"},
                description =
                        "Limits of HTTP/2 connections of clients. Beyond `max-continuations` or a rate the connection"
                                + " ends with GOAWAY (ENHANCE_YOUR_CALM).")
        Http2Limits http2,

        @Key(
                defaultValue = "{}",
                description = "Thresholds of load shedding. Above one of them new exchanges get 503 `overloaded`, and"
                        + " `/readyz` fails.")
        OverloadSettings overload,

        @Key(defaultValue = "{}", description = "Start and shutdown.")
        LifecycleConfig lifecycle,

        @Key(defaultValue = "{}", description = "Exchange log and program log.")
        LogSettings log,

        @Key(defaultValue = "{}", needs = "tracing.endpoint", description = "Export of spans (OpenTelemetry).")
        TraceSettings tracing,

        @Key(
                defaultValue = "false",
                description =
                        "Reloads when the content of the file has changed, or of one that `${file:...}` names; also"
                                + " through a changed link, as of a ConfigMap. Within 3 s.")
        boolean watch,

        @Key(
                defaultValue = "{}",
                needs = {"routes[].token", "forward.<name>.token"},
                description = "Privacy Pass: challenges, tokens, [issuers](issuers.md), spend ledger.")
        AuthSettings privacyPass,

        @Key(
                defaultValue = "{}",
                needs = {"privacy-pass.ledger.store: redis", "rate-limits[].store: redis"},
                description = "Redis of rate limits, rooms and spend ledger.",
                restart = true)
        RedisSettings redis,

        @Key(defaultValue = "[]", description = "Rate limits and fair queues; routes name them.")
        List<RateLimitRule> rateLimits,

        @Key(defaultValue = "[]", description = "Groups of servers behind the gateway.")
        List<UpstreamConfig> upstreams,

        @Key(
                defaultValue = "[]",
                needs = "listeners[].mode: reverse | authorize",
                description =
                        "Routes of requests: exact host before `*.suffix` before `*`, then the longest path. A path"
                                + " whose [readings](request.md#one-reading) lead to different routes is refused.")
        List<RouteConfig> routes,

        @Key(defaultValue = "{}", description = "Policies of forward listeners, by name.")
        Map<String, ForwardSettings> forward,

        @Key(defaultValue = "{}", description = "Code of users.", restart = true)
        Extensions extensions) {

    public GatewayConfig {
        listeners = List.copyOf(listeners);
        rateLimits = List.copyOf(rateLimits);
        upstreams = List.copyOf(upstreams);
        routes = List.copyOf(routes);
        forward = Map.copyOf(forward);
    }

    /** Instance: namespace and number of replicas. */
    public record Instance(
            @Key(
                    defaultValue = "default",
                    description =
                            "Prefix of every key in memcached and Redis. Gateways that share tokens have the same.")
            String namespace,

            @Key(
                    defaultValue = "1",
                    min = "1",
                    max = "10000",
                    description = "Maximum number of gateways with this namespace.")
            int replicas) {

        public Instance {
            Checks.of().name("namespace", namespace).done();
        }
    }

    /** Secrets that all replicas share. */
    public record Secrets(
            @Key(
                    defaultValue = "null",
                    file = FileKind.SECRET,
                    description =
                            "File with the key ring: lines of `postern secret new`. The first signs, all verify"
                                    + " ([rotation](deploy.md#rotate-the-key-ring)). Without it challenges, cookies and tickets end with the process.")
            @Nullable
            String ringFile) {}

    /** Extensions that operators add. */
    public record Extensions(
            @Key(
                    defaultValue = "null",
                    file = FileKind.PATH,
                    description = "Folder with jars of extensions, in addition to the class path.")
            @Nullable
            String folder) {}
}
