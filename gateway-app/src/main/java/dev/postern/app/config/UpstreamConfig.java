package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigShare;
import dev.postern.app.config.type.Key;
import dev.postern.core.upstream.EndpointSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A named group of servers behind the gateway. */
public record UpstreamConfig(
        @Key(example = "app", says = "Its name in routes, log and meters.")
        String name,

        @Key(
                example = "[\"127.0.0.1:9000\"]",
                says = "Its servers: `host:port`; `dns:host:port` for a name whose addresses are servers of their own"
                        + " and looked up again; or `unix:/path` for a socket of this machine (with epoll only)."
                        + " Behind it perhaps ` weight=2`.")
        List<String> endpoints,

        @Key(
                or = "h1",
                says = "What they speak: `h1`, or `h2`: by prior knowledge, or over TLS by ALPN, which a server must"
                        + " then agree to.")
        Protocol protocol,

        @Key(
                or = "least-of-two",
                says = "How one is chosen: `least-of-two`, the less busy of two drawn at random; `round-robin`; or"
                        + " `ring-hash`, by what exchanges have in common; or the name of an extension.")
        String balance,

        @Key(
                or = "client-address",
                says = "What `ring-hash` goes by: `client-address`, `path`, `header:NAME` or `cookie:NAME` (the"
                        + " address where there is none).")
        String hashBy,

        @Key(or = "null", says = "Overrides `transport.congestion-control` for connections to them.") @Nullable
        String congestionControl,

        @Key(
                or = "off",
                says = "The header that each connection begins with, so that they know who the client is: `v1` is a"
                        + " line of text, `v2` binary. A connection then serves that client's connection alone;"
                        + " health checks say `UNKNOWN` or `LOCAL`.")
        ProxyProtocol proxyProtocol,

        @Key(or = "{}", says = "How long they may take.") Timeouts timeouts,
        @Key(or = "{}", says = "Connections that are kept.") Pool pool,

        @Key(or = "{}", says = "When a request is sent again.")
        Retry retry,

        @Key(or = "{}", says = "Active checks and passive ejection.")
        Health health,

        @Key(or = "{}", says = "When to stop asking.") Breaker breaker,

        @Key(or = "null", says = "TLS towards them.") @Nullable
        Tls tls) {

    /** The header that connections begin with. */
    public enum ProxyProtocol {
        OFF,
        V1,
        V2
    }

    /** How an endpoint is chosen without an extension. */
    public static final List<String> BALANCES = List.of("least-of-two", "round-robin", "ring-hash");

    public UpstreamConfig {
        endpoints = List.copyOf(endpoints);
        Checks checks =
                Checks.of().name("name", name).that(!endpoints.isEmpty(), "endpoints", endpoints, "at least one");
        for (int i = 0; i < endpoints.size(); i++) {
            String endpoint = endpoints.get(i);
            checks.parses("endpoints." + i, endpoint, () -> EndpointSpec.of(endpoint));
            checks.that(
                    tls == null || tls.serverName() != null || !endpoints.get(i).startsWith("unix:"),
                    "endpoints." + i,
                    endpoints.get(i),
                    "host:port, or a server-name in tls, since a path is in no certificate");
        }
        checks.that(
                balance.matches("[a-z][a-z0-9-]{0,62}"),
                "balance",
                balance,
                String.join(" | ", BALANCES) + " | the name of an extension");
        checks.that(
                hashBy.matches("client-address|path|(header|cookie):[A-Za-z0-9_-]{1,64}"),
                "hash-by",
                hashBy,
                "client-address | path | header:NAME | cookie:NAME");
        checks.that(
                proxyProtocol == ProxyProtocol.OFF || protocol == Protocol.H1,
                "proxy-protocol",
                proxyProtocol,
                "off with protocol h2, since many clients share a connection there");
        TransportConfig.checkCongestionControl(checks, congestionControl);
        checks.done();
    }

    /** What an upstream speaks. */
    public enum Protocol {
        H1,
        H2
    }

    /** How long an upstream may take. */
    public record Timeouts(
            @Key(or = "1s", says = "Until a connection stands, waiting for a free one included; else 504.")
            ConfigDuration connect,

            @Key(
                    or = "30s",
                    says =
                            "From the end of the request, its body included, to the first byte of the response; else 504.")
            ConfigDuration firstByte,

            @Key(or = "30s", says = "Between two pieces of a response, and while a request's body is not taken.")
            ConfigDuration idle) {

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
            ConfigDuration idle,

            @Key(
                    or = "true",
                    says = "Whether to close them earlier when the upstream says, or shows, that it would close them"
                            + " itself.")
            boolean learnIdle,

            @Key(
                    formerly = "life",
                    or = "10m",
                    says = "So old, a connection is closed after its exchange; 0 for no limit.")
            ConfigDuration maxLifetime,

            @Key(or = "0", says = "After so many requests a connection is closed; 0 for no limit.")
            int requests,

            @Key(
                    or = "100",
                    says = "Exchanges at once on a connection of `protocol: h2`, however many more the server would"
                            + " take.")
            int maxStreams) {

        public Pool {
            Checks.of()
                    .between("max-connections", maxConnections, 1, 1_000_000)
                    .between("max-pending", maxPending, 0, 1_000_000)
                    .between("idle", idle, "1ms", "1d")
                    .between("max-lifetime", maxLifetime, "0", "30d")
                    .between("requests", requests, 0, Integer.MAX_VALUE)
                    .between("max-streams", maxStreams, 1, 10_000)
                    .done();
        }
    }

    /** When a request is sent again. */
    public record Retry(
            @Key(
                    or = "20%",
                    says = "Retries as a share of the requests of ten seconds, and 10 more; 0% for none at all.")
            ConfigShare budget,

            @Key(
                    or = "5s",
                    says = "A safe request without a body that was not answered so long goes to another server, up to"
                            + " two times.")
            ConfigDuration perTry) {

        public Retry {
            Checks.of().between("per-try", perTry, "1ms", "1d").done();
        }
    }

    /** Which servers are left out. */
    public record Health(
            @Key(
                    or = "5",
                    says = "Failures in a row (no connection, no response, 502, 503, 504) before a server is left out;"
                            + " 0 for never.")
            int failures,

            @Key(or = "1s", says = "For how long at first; each further failure doubles it.")
            ConfigDuration ejection,

            @Key(or = "30s", says = "For how long at most.") ConfigDuration maxEjection,

            @Key(or = "50%", says = "When fewer of the servers than this may be used, all are.")
            ConfigShare panic,

            @Key(or = "0s", says = "So long a server that came back gets less than its share, growing; 0s for at once.")
            ConfigDuration slowStart,

            @Key(or = "{}", says = "Asking each server how it is.")
            Check check) {

        public Health {
            Checks.of()
                    .between("failures", failures, 0, 1_000_000)
                    .between("ejection", ejection, "1ms", "1d")
                    .between("max-ejection", maxEjection, "1ms", "1d")
                    .between("slow-start", slowStart, "0", "1d")
                    .done();
        }
    }

    /** Asking each server how it is. */
    public record Check(
            @Key(
                    or = "null",
                    says = "Path that is asked for, such as `/healthz`; 2xx and 3xx are good. `null`: nobody is asked.")
            @Nullable
            String path,

            @Key(or = "null", says = "Host of that request; the server's own address by default.") @Nullable
            String host,

            @Key(or = "5s", says = "Time between two questions.")
            ConfigDuration interval,

            @Key(or = "1s", says = "No response within this time is a bad one.")
            ConfigDuration timeout,

            @Key(or = "2", says = "Good responses in a row until a server is used again.")
            int rise,

            @Key(or = "3", says = "Bad responses in a row until it is left out.")
            int fall) {

        public Check {
            Checks.of()
                    .that(
                            path == null || path.matches("/[!-~&&[^#?]]{0,1023}"),
                            "path",
                            String.valueOf(path),
                            "a path such as /healthz, or null")
                    .that(
                            host == null || host.matches("[A-Za-z0-9._:\\[\\]-]{1,255}"),
                            "host",
                            String.valueOf(host),
                            "a host such as app.example, or null")
                    .between("interval", interval, "10ms", "1d")
                    .between("timeout", timeout, "1ms", "1h")
                    .between("rise", rise, 1, 1000)
                    .between("fall", fall, 1, 1000)
                    .done();
        }
    }

    /** When to stop asking. */
    public record Breaker(
            @Key(or = "false", says = "Whether to stop asking an upstream most of whose responses are failures.")
            boolean enabled,

            @Key(
                    formerly = "failure-rate",
                    or = "50%",
                    says = "Share of failures (no response, 502, 503, 504) from which on nobody asks: 503"
                            + " `upstream-down`.")
            ConfigShare failureRateThreshold,

            @Key(formerly = "window", or = "10s", says = "Of the exchanges of so long.")
            ConfigDuration slidingWindowSize,

            @Key(formerly = "least-calls", or = "20", says = "If there were at least so many.")
            int minimumNumberOfCalls,

            @Key(formerly = "open", or = "5s", says = "For how long.")
            ConfigDuration waitDurationInOpenState,

            @Key(formerly = "trials", or = "5", says = "Then so many exchanges are let through, and decide.")
            int permittedNumberOfCallsInHalfOpenState) {

        public Breaker {
            Checks.of()
                    .that(failureRateThreshold.of() > 0, "failure-rate-threshold", failureRateThreshold, "more than 0%")
                    .between("sliding-window-size", slidingWindowSize, "1s", "1h")
                    .between("minimum-number-of-calls", minimumNumberOfCalls, 1, 1_000_000)
                    .between("wait-duration-in-open-state", waitDurationInOpenState, "1ms", "1h")
                    .between(
                            "permitted-number-of-calls-in-half-open-state",
                            permittedNumberOfCallsInHalfOpenState,
                            1,
                            1_000_000)
                    .done();
        }
    }

    /** TLS towards an upstream. */
    public record Tls(
            @Key(
                    or = "null",
                    says = "The name that their certificates must have, and that they are told (SNI); default: the"
                            + " host of each endpoint.")
            @Nullable
            String serverName,

            @Key(or = "null", says = "Whose certificates are believed (PEM); default: those that Java believes.")
            @Nullable
            String caFile) {

        private static final String SERVER_NAME =
                "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*";

        public Tls {
            Checks.of()
                    .that(
                            serverName == null || serverName.matches(SERVER_NAME),
                            "server-name",
                            serverName + "",
                            "a name such as app.example, or an IPv4 address")
                    .done();
        }
    }
}
