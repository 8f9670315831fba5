package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.Key;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that one gateway can be told. */
public record GatewayConfig(
        @Key(or = "{}", says = "Who this gateway is among its like.", restart = true)
        Instance instance,

        @Key(or = "{}", says = "What all replicas share and nobody else knows.", restart = true)
        Secrets secrets,

        @Key(or = "[]", says = "Where clients connect.") List<ListenerConfig> listeners,

        @Key(or = "{}", says = "The address for operators.", restart = true)
        AdminConfig admin,

        @Key(or = "{}", says = "How the process talks to the kernel.", restart = true)
        TransportConfig transport,

        @Key(or = "{}", says = "What one client may take.") LimitsConfig limits,
        @Key(or = "{}", says = "Budgets of HTTP/2.") Http2Config http2,

        @Key(or = "{}", says = "When to shed load.", restart = true)
        OverloadConfig overload,

        @Key(or = "{}", says = "How the process starts and ends.")
        LifecycleConfig lifecycle,

        @Key(or = "{}", says = "What the log holds.") LogConfig log,

        @Key(or = "{}", says = "Who is told of single exchanges.", restart = true)
        TracingConfig tracing,

        @Key(or = "{}", says = "Who may pass.", restart = true)
        PrivacyPassConfig privacyPass,

        @Key(or = "{}", says = "The Redis that rate limits, rooms and spent tokens may live in.", restart = true)
        RedisConfig redis,

        @Key(or = "[]", says = "When they may pass.") List<RateLimitConfig> rateLimits,

        @Key(or = "[]", says = "Groups of servers behind the gateway.")
        List<UpstreamConfig> upstreams,

        @Key(
                or = "[]",
                says =
                        "Which requests go where: exact host before `*.suffix` before `*`, then the longest path. A path that servers read in two ways is refused where they lead to different routes ([one reading](request.md#one-reading)).")
        List<RouteConfig> routes,

        @Key(or = "{}", says = "Rules for listeners in mode forward, by name.")
        Map<String, ForwardConfig> forward,

        @Key(or = "{}", says = "What users put in.", restart = true)
        Extensions extensions) {

    public GatewayConfig {
        listeners = List.copyOf(listeners);
        rateLimits = List.copyOf(rateLimits);
        upstreams = List.copyOf(upstreams);
        routes = List.copyOf(routes);
        forward = Map.copyOf(forward);
    }

    /** Who this gateway is among its like. */
    public record Instance(
            @Key(
                    or = "default",
                    says = "Prefix of every key in memcached and Redis; gateways that share tokens share it.")
            String namespace,

            @Key(or = "1", says = "How many gateways share the namespace at most.")
            int replicas) {

        public Instance {
            Checks.of()
                    .name("namespace", namespace)
                    .between("replicas", replicas, 1, 10_000)
                    .done();
        }
    }

    /** What all replicas share and nobody else knows. */
    public record Secrets(
            @Key(
                    or = "null",
                    says =
                            "File with the key ring: lines of `postern secret new`, newest first. Without it the ring is random and"
                                    + " challenges, cookies and tickets end with the process.")
            @Nullable
            String ringFile) {}

    /** What users put in. */
    public record Extensions(
            @Key(or = "null", says = "Folder whose jars may hold extensions, beside the class path.") @Nullable
            String folder) {}
}
