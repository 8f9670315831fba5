package dev.postern.app.config;

import dev.postern.app.log.LogSettings;
import dev.postern.app.trace.TraceSettings;
import dev.postern.auth.AuthSettings;
import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.overload.OverloadSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configuration of one gateway: the root of all sections. */
public record GatewayConfig(
        @Key(or = "{}", says = "Identity of this gateway.", restart = true)
        Instance instance,

        @Key(or = "{}", says = "Secrets that all replicas share.", restart = true)
        Secrets secrets,

        @Key(or = "[]", says = "Addresses for clients.") List<ListenerConfig> listeners,

        @Key(or = "{}", says = "Address for operators.", restart = true)
        AdminConfig admin,

        @Key(or = "{}", says = "Sockets, event loops and buffers.", restart = true)
        TransportConfig transport,

        @Key(or = "{}", says = "Limits of client connections and requests.")
        LimitsConfig limits,

        @Key(
                or = "{}",
                says = "Limits of HTTP/2 connections of clients. Beyond `max-continuations` or a rate the connection"
                        + " ends with GOAWAY (ENHANCE_YOUR_CALM).")
        Http2Limits http2,

        @Key(
                or = "{}",
                says = "Thresholds of load shedding. Above one of them new exchanges get 503 `overloaded`, and"
                        + " `/readyz` fails.",
                restart = true)
        OverloadSettings overload,

        @Key(or = "{}", says = "Start and shutdown.") LifecycleConfig lifecycle,

        @Key(or = "{}", says = "Exchange log and program log.")
        LogSettings log,

        @Key(or = "{}", says = "Export of spans (OpenTelemetry).", restart = true)
        TraceSettings tracing,

        @Key(or = "{}", says = "Privacy Pass: challenges, tokens, issuers, spend ledger.", restart = true)
        AuthSettings privacyPass,

        @Key(or = "{}", says = "Redis for rate limits, rooms and spend ledger with `store: redis`.", restart = true)
        RedisSettings redis,

        @Key(or = "[]", says = "Rate limits and fair queues; routes name them.")
        List<RateLimitRule> rateLimits,

        @Key(or = "[]", says = "Groups of servers behind the gateway.")
        List<UpstreamConfig> upstreams,

        @Key(
                or = "[]",
                says = "Routes of requests: exact host before `*.suffix` before `*`, then the longest path. A path"
                        + " whose [readings](request.md#one-reading) lead to different routes is refused.")
        List<RouteConfig> routes,

        @Key(or = "{}", says = "Policies of forward listeners, by name.")
        Map<String, ForwardConfig> forward,

        @Key(or = "{}", says = "Code of users.", restart = true)
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
                    or = "default",
                    says = "Prefix of every key in memcached and Redis. Gateways that share tokens have the same.")
            String namespace,

            @Key(or = "1", says = "Maximum number of gateways with this namespace.")
            int replicas) {

        public Instance {
            Checks.of()
                    .name("namespace", namespace)
                    .between("replicas", replicas, 1, 10_000)
                    .done();
        }
    }

    /** Secrets that all replicas share. */
    public record Secrets(
            @Key(
                    or = "null",
                    says = "File with the key ring: lines of `postern secret new`, newest first. Without it"
                            + " challenges, cookies and tickets end with the process.")
            @Nullable
            String ringFile) {}

    /** Extensions that operators add. */
    public record Extensions(
            @Key(or = "null", says = "Folder with jars of extensions, in addition to the class path.") @Nullable
            String folder) {}
}
