package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Share;
import dev.postern.core.upstream.endpoint.EndpointSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Upstream: a named group of servers behind the gateway. */
public record UpstreamConfig(
        @Key(example = "app", says = "Name in routes, log and meters.")
        String name,

        @Key(
                example = "[\"127.0.0.1:9000\"]",
                says = "`host:port`; `dns:host:port`: each address of the name, resolved repeatedly; `unix:/path`"
                        + " (epoll only). Optional suffix ` weight=2`.")
        List<String> endpoints,

        @Key(or = "h1", says = "`h2`: by prior knowledge, or by ALPN over TLS, which the server must accept.")
        Protocol protocol,

        @Key(
                or = "least-of-two",
                says = "`least-of-two`: the less busy of two random endpoints; `round-robin`; `ring-hash` by"
                        + " `hash-by`; or the name of an extension.")
        String balance,

        @Key(
                or = "client-address",
                says = "Key of `ring-hash`: `client-address`, `path`, `header:NAME` or `cookie:NAME`; the address if"
                        + " absent.")
        String hashBy,

        @Key(or = "null", says = "Overrides `transport.congestion-control` for upstream connections.") @Nullable
        String congestionControl,

        @Key(
                or = "off",
                says = "PROXY protocol header with the client's address: `v1` text, `v2` binary. A connection then"
                        + " serves one client connection; health checks send `UNKNOWN` or `LOCAL`.")
        ProxyProtocol proxyProtocol,

        @Key(or = "{}", says = "Timeouts of exchanges.") Timeouts timeouts,
        @Key(or = "{}", says = "Connection pool.") Pool pool,

        @Key(or = "{}", says = "Retries.") Retry retry,

        @Key(or = "{}", says = "Active and passive health checks.")
        Health health,

        @Key(or = "{}", says = "Circuit breaker.") Breaker breaker,

        @Key(or = "null", says = "TLS to the endpoints; `null`: plain text.") @Nullable
        Tls tls) {

    /** PROXY protocol header at the start of upstream connections. */
    public enum ProxyProtocol {
        OFF,
        V1,
        V2
    }

    /** Built-in rules that choose an endpoint. */
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

    /** Protocol of an upstream. */
    public enum Protocol {
        H1,
        H2
    }

    /** Timeouts of an exchange with an upstream. */
    public record Timeouts(
            @Key(or = "1s", says = "Time to get a connection, including the wait for a free one; then 504.")
            Duration connect,

            @Key(
                    or = "30s",
                    says = "From the end of the request, including its body, to the first byte of the response; then"
                            + " 504.")
            Duration firstByte,

            @Key(
                    or = "30s",
                    says = "Maximum pause of a response, or of an upstream that reads a request body; then 504, or the"
                            + " response is cut.")
            Duration idle) {

        public Timeouts {
            Checks.of()
                    .between("connect", connect, "1ms", "10m")
                    .between("first-byte", firstByte, "1ms", "1d")
                    .between("idle", idle, "1ms", "1d")
                    .done();
        }
    }

    /** Pool of connections to an upstream. */
    public record Pool(
            @Key(or = "true", says = "Whether connections are reused.")
            boolean keepAlive,

            @Key(or = "1024", says = "Maximum connections of all event loops; at this number exchanges wait.")
            int maxConnections,

            @Key(
                    or = "1024",
                    says = "Maximum exchanges that wait for a connection; further ones get 503 `upstream-busy`.")
            int maxPending,

            @Key(or = "55s", says = "Time without an exchange; then the connection is closed.")
            Duration idle,

            @Key(
                    or = "true",
                    says = "Whether connections are closed earlier when the upstream announces or shows a shorter idle"
                            + " timeout.")
            boolean learnIdle,

            @Key(
                    formerly = "life",
                    or = "10m",
                    says = "Age at which a connection is closed after its exchange; 0: no limit.")
            Duration maxLifetime,

            @Key(or = "0", says = "Requests after which a connection is closed; 0: no limit.")
            int requests,

            @Key(
                    or = "100",
                    says = "Maximum concurrent exchanges of a connection with `protocol: h2`, within the server's own"
                            + " limit.")
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

    /** Retry rule of an upstream. */
    public record Retry(
            @Key(
                    or = "20%",
                    says = "Maximum retries, as a share of the requests of 10 s, plus 10; beyond it none. 0%: never"
                            + " retry.")
            Share budget,

            @Key(
                    or = "5s",
                    says = "Time without a response after which a safe request without a body is sent to another"
                            + " endpoint, at most twice.")
            Duration perTry) {

        public Retry {
            Checks.of().between("per-try", perTry, "1ms", "1d").done();
        }
    }

    /** Health of endpoints: passive ejection and active checks. */
    public record Health(
            @Key(
                    or = "5",
                    says = "Consecutive failures (no connection, no response, 502, 503, 504) after which an endpoint"
                            + " is ejected; 0: never.")
            int failures,

            @Key(or = "1s", says = "First ejection time; each further failure doubles it.")
            Duration ejection,

            @Key(or = "30s", says = "Maximum ejection time.")
            Duration maxEjection,

            @Key(or = "50%", says = "Share of available endpoints below which all endpoints are used.")
            Share panic,

            @Key(or = "0s", says = "Time in which the share of a recovered endpoint grows to normal; 0s: at once.")
            Duration slowStart,

            @Key(or = "{}", says = "Active health checks.") Check check) {

        public Health {
            Checks.of()
                    .between("failures", failures, 0, 1_000_000)
                    .between("ejection", ejection, "1ms", "1d")
                    .between("max-ejection", maxEjection, "1ms", "1d")
                    .between("slow-start", slowStart, "0", "1d")
                    .done();
        }
    }

    /** Active check of each endpoint. */
    public record Check(
            @Key(
                    or = "null",
                    says = "Path of the check, such as `/healthz`; 2xx and 3xx are successes. `null`: no checks.")
            @Nullable
            String path,

            @Key(or = "null", says = "Host of the check; default: the endpoint's address.") @Nullable
            String host,

            @Key(or = "5s", says = "Time between two checks.")
            Duration interval,

            @Key(or = "1s", says = "Maximum wait for a response; then the check failed.")
            Duration timeout,

            @Key(or = "2", says = "Consecutive successes until an endpoint is used again.")
            int rise,

            @Key(or = "3", says = "Consecutive failures until an endpoint is excluded.")
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

    /** Breaker (circuit breaker) of an upstream. */
    public record Breaker(
            @Key(or = "false", says = "Whether the circuit breaker is used.")
            boolean enabled,

            @Key(
                    formerly = "failure-rate",
                    or = "50%",
                    says = "Share of failures (no response, 502, 503, 504) at which the breaker opens; then 503"
                            + " `upstream-down`.")
            Share failureRateThreshold,

            @Key(formerly = "window", or = "10s", says = "Time whose exchanges are counted.")
            Duration slidingWindowSize,

            @Key(
                    formerly = "least-calls",
                    or = "20",
                    says = "Exchanges in the window below which the breaker stays closed.")
            int minimumNumberOfCalls,

            @Key(formerly = "open", or = "5s", says = "Time in the open state; then half-open.")
            Duration waitDurationInOpenState,

            @Key(
                    formerly = "trials",
                    or = "5",
                    says = "Trial exchanges in the half-open state; their failure rate closes or opens the breaker.")
            int permittedNumberOfCallsInHalfOpenState) {

        public Breaker {
            Checks.of()
                    .that(
                            failureRateThreshold.fraction() > 0,
                            "failure-rate-threshold",
                            failureRateThreshold,
                            "more than 0%")
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

    /** TLS settings of connections to an upstream. */
    public record Tls(
            @Key(or = "null", says = "Name for SNI and certificate check; default: host of each endpoint.") @Nullable
            String serverName,

            @Key(or = "null", says = "PEM file of trusted authorities; default: those of Java.") @Nullable
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
