package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.Key;
import dev.postern.app.config.type.Share;
import dev.postern.app.config.type.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A named group of servers behind the gateway. */
public record UpstreamConfig(
        @Key(example = "app", says = "Its name in routes, log and meters.")
        String name,

        @Key(
                example = "[\"127.0.0.1:9000\"]",
                says =
                        "Its servers: `host:port`, `dns:host:port` for a name that is looked up again, or `unix:/path` for a socket of"
                                + " this machine (with epoll only).")
        List<String> endpoints,

        @Key(or = "h1", says = "What they speak.") Protocol protocol,

        @Key(or = "least-of-two", says = "How one is chosen: the less busy of two drawn at random, or `round-robin`.")
        Balance balance,

        @Key(or = "null", says = "Overrides `transport.congestion-control` for connections to them.") @Nullable
        String congestionControl,

        @Key(or = "{}", says = "How long they may take.") Timeouts timeouts,
        @Key(or = "{}", says = "Connections that are kept.") Pool pool,

        @Key(or = "{}", says = "When a request is sent again.")
        Retry retry,

        @Key(or = "{}", says = "Active checks and passive ejection.")
        Health health,

        @Key(or = "{}", says = "When to stop asking.") Breaker breaker,

        @Key(or = "null", says = "TLS towards them.") @Nullable
        Tls tls) {

    private static final String ENDPOINT =
            "(dns:)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):\\d{1,5}|unix:/[\\x21-\\x7e]{1,106}";

    public UpstreamConfig {
        endpoints = List.copyOf(endpoints);
        Checks checks =
                Checks.of().name("name", name).that(!endpoints.isEmpty(), "endpoints", endpoints, "at least one");
        for (int i = 0; i < endpoints.size(); i++) {
            checks.that(
                    endpoints.get(i).matches(ENDPOINT),
                    "endpoints." + i,
                    endpoints.get(i),
                    "host:port, dns:host:port or unix:/path of up to 107 bytes");
            checks.that(
                    tls == null || tls.serverName() != null || !endpoints.get(i).startsWith("unix:"),
                    "endpoints." + i,
                    endpoints.get(i),
                    "host:port, or a server-name in tls, since a path is in no certificate");
        }
        TransportConfig.checkCongestionControl(checks, congestionControl);
        checks.done();
    }

    /** What an upstream speaks. */
    public enum Protocol {
        H1,
        H2
    }

    /** How an endpoint is chosen. */
    public enum Balance {
        LEAST_OF_TWO,
        ROUND_ROBIN,
        RING_HASH
    }

    /** How long an upstream may take. */
    public record Timeouts(
            @Key(or = "1s", says = "Until a connection stands, waiting for a free one included; else 504.")
            Span connect,

            @Key(or = "30s", says = "From the request to the first byte of the answer; else 504.")
            Span firstByte,

            @Key(or = "30s", says = "Between two pieces of an answer.")
            Span idle) {

        public Timeouts {
            Checks.of()
                    .between("connect", connect, "1ms", "10m")
                    .between("first-byte", firstByte, "1ms", "1d")
                    .between("idle", idle, "1ms", "1d")
                    .done();
        }
    }

    /** Connections that are kept. */
    public record Pool(
            @Key(or = "true", says = "Whether connections are used again.")
            boolean keepAlive,

            @Key(or = "1024", says = "Connections at once, all event loops together.")
            int maxConnections,

            @Key(or = "1024", says = "Exchanges that may wait for one.")
            int maxPending,

            @Key(or = "55s", says = "Unused for so long, a connection is closed.")
            Span idle,

            @Key(or = "true", says = "Whether to learn from the upstream's Keep-Alive how long that may be.")
            boolean learnIdle,

            @Key(or = "10m", says = "So old, a connection is closed after its exchange; 0 for no limit.")
            Span life,

            @Key(or = "0", says = "After so many requests a connection is closed; 0 for no limit.")
            int requests) {

        public Pool {
            Checks.of()
                    .between("max-connections", maxConnections, 1, 1_000_000)
                    .between("max-pending", maxPending, 0, 1_000_000)
                    .between("idle", idle, "1ms", "1d")
                    .between("life", life, "0", "30d")
                    .between("requests", requests, 0, Integer.MAX_VALUE)
                    .done();
        }
    }

    /** When a request is sent again. */
    public record Retry(
            @Key(or = "20%", says = "Retries as a share of requests at most.")
            Share budget,

            @Key(or = "5s", says = "Longest time for one try.")
            Span perTry) {}

    /** Checks of endpoints; its keys come with its room. */
    public record Health() {}

    /** Circuit breaker; its keys come with its room. */
    public record Breaker() {}

    /** TLS towards an upstream. */
    public record Tls(
            @Key(
                    or = "null",
                    says =
                            "The name that their certificates must have, and that they are told (SNI); default: the host of each"
                                    + " endpoint.")
            @Nullable
            String serverName,

            @Key(or = "null", says = "Whose certificates are believed (PEM); default: those that Java believes.")
            @Nullable
            String caFile) {

        public Tls {
            Checks.of()
                    .that(
                            serverName == null || serverName.matches("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"),
                            "server-name",
                            serverName + "",
                            "a name such as app.example, or an IPv4 address")
                    .done();
        }
    }
}
