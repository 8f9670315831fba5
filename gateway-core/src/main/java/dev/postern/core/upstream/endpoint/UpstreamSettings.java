package dev.postern.core.upstream.endpoint;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Share;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.transport.SocketOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an upstream, a named group of endpoints. Records with keys are sections of {@code upstreams[]} in the configuration.
 *
 * @param endpoints {@code host:port} or {@code dns:host:port}, and perhaps {@code weight=N}
 * @param proxyProtocol the PROXY protocol header, if any, that names the client at the start of each connection
 * @param host the Host of requests
 */
public record UpstreamSettings(
        String name,
        List<String> endpoints,
        Balance balance,
        Timeouts timeouts,
        Pool pool,
        Retry retry,
        Health health,
        Breaker breaker,
        SocketOptions sockets,
        ProxyProtocol proxyProtocol,
        Expect expect,
        HostRule host) {

    /** Who decides whether a client that expects 100 (Continue) sends its body. */
    public enum Expect {
        /** The upstream: the field is forwarded, and the body waits for its 100. */
        FORWARD,
        /** The gateway: 100 is sent when the request may be forwarded. */
        ANSWER
    }

    /** Version of the PROXY protocol header that connections begin with. */
    public enum ProxyProtocol {
        OFF,
        /** Version 1, one line of text. */
        V1,
        /** Version 2, binary. */
        V2
    }

    /**
     * Balancing: how an endpoint is chosen.
     *
     * @param policy source of the hash key, for {@code RING_HASH}
     * @param rule the extension that chooses, for {@code RULE}; else null
     */
    public record Balance(
            Kind kind, HashPolicy policy, @Nullable ExtensionBalance rule) {

        public Balance(Kind kind, HashPolicy policy) {
            this(kind, policy, null);
        }

        /** Creates balancing by an extension. */
        public static Balance by(ExtensionBalance rule) {
            return new Balance(Kind.RULE, HashPolicy.CLIENT_ADDRESS, rule);
        }

        /** Returns the key of the exchange that selects its endpoint; 0 where no key is used. */
        public long key(Exchange exchange) {
            if (rule != null) {
                return rule.key(exchange);
            }
            return kind == Kind.RING_HASH ? policy.key(exchange) : 0;
        }

        /** Kind of balancing. */
        public enum Kind {
            /** The less busy one of two endpoints drawn at random. */
            LEAST_OF_TWO,
            ROUND_ROBIN,
            RING_HASH,
            /** By an extension. */
            RULE
        }
    }

    /** Timeouts of an exchange with an upstream. */
    public record Timeouts(
            @Key(
                    defaultValue = "1s",
                    min = "1ms",
                    max = "10m",
                    description = "Time to get a connection, including the wait for a free one; then 504.")
            Duration connect,

            @Key(
                    defaultValue = "60s",
                    min = "1ms",
                    max = "1d",
                    description =
                            "From the end of the request, including its body, to the first byte of the response; then"
                                    + " 504.")
            Duration firstByte,

            @Key(
                    defaultValue = "60s",
                    min = "1ms",
                    max = "1d",
                    description =
                            "Maximum pause of a response, or of an upstream that reads a request body; then 504, or the"
                                    + " response is cut.")
            Duration idle) {}

    /** Pool of connections to an upstream. */
    public record Pool(
            @Key(defaultValue = "true", description = "Whether connections are reused.")
            boolean keepAlive,

            @Key(
                    defaultValue = "1024",
                    min = "1",
                    max = "1000000",
                    description = "Maximum connections of all event loops; at this number exchanges wait.")
            int maxConnections,

            @Key(
                    defaultValue = "1024",
                    min = "0",
                    max = "1000000",
                    description = "Maximum exchanges that wait for a connection; further ones get 503 `upstream-busy`.")
            int maxPending,

            @Key(
                    defaultValue = "55s",
                    min = "1ms",
                    max = "1d",
                    needs = "keep-alive",
                    upTo = "max-lifetime",
                    description = "Time without an exchange; then the connection is closed.")
            Duration idle,

            @Key(
                    defaultValue = "true",
                    needs = "keep-alive",
                    description =
                            "Whether connections are closed earlier when the upstream announces or shows a shorter idle"
                                    + " timeout.")
            boolean learnIdle,

            @Key(
                    formerly = "life",
                    defaultValue = "10m",
                    min = "0",
                    max = "30d",
                    needs = "keep-alive",
                    description = "Age at which a connection is closed after its exchange; 0: no limit.")
            Duration maxLifetime,

            @Key(
                    defaultValue = "0",
                    min = "0",
                    max = "2147483647",
                    needs = "keep-alive",
                    description = "Requests after which a connection is closed; 0: no limit.")
            int requests,

            @Key(
                    defaultValue = "100",
                    min = "1",
                    max = "10000",
                    needs = "protocol: h2",
                    upTo = "requests",
                    description = "Maximum concurrent exchanges of a connection, within the server's own" + " limit.")
            int maxStreams,

            @Key(
                    defaultValue = "25%",
                    description =
                            "Share of the connections, or streams with `protocol: h2`, and of the places to wait that one"
                                    + " client network (IPv4 address, IPv6 /64) holds at most while other networks wait."
                                    + " 100%: no limit.")
            Share maxShare) {

        public Pool {
            Checks.of()
                    .that(maxShare.fraction() > 0, "max-share", maxShare, "more than 0%")
                    .done();
        }

        /** Returns a copy with another maximum of connections. */
        public Pool with(int connections) {
            return new Pool(
                    keepAlive, connections, maxPending, idle, learnIdle, maxLifetime, requests, maxStreams, maxShare);
        }
    }

    /** Retry rule of an upstream. */
    public record Retry(
            @Key(
                    defaultValue = "20%",
                    description =
                            "Maximum retries, as a share of the requests of 10 s, plus 10; beyond it none. 0%: never"
                                    + " retry.")
            Share budget,

            @Key(
                    defaultValue = "0",
                    min = "0",
                    max = "1d",
                    needs = "budget",
                    upTo = "timeouts.first-byte",
                    description =
                            "Time without a response after which a safe request without a body is sent to another"
                                    + " endpoint, at most twice; the first endpoint may then do its work for nothing. 0: never.")
            Duration perTry) {

        /** Returns whether a request without a response may be sent to another endpoint. */
        public boolean afterSilence() {
            // Without a budget the request could only end sooner.
            return !perTry.isZero() && budget.fraction() > 0;
        }
    }

    /** Health of endpoints: passive ejection and active checks. */
    public record Health(
            @Key(
                    defaultValue = "5",
                    min = "0",
                    max = "1000000",
                    description =
                            "Consecutive failures (no connection, no response, 502, 503, 504) after which an endpoint"
                                    + " is ejected; 0: never.")
            int failures,

            @Key(
                    defaultValue = "1s",
                    min = "1ms",
                    max = "1d",
                    needs = "failures",
                    upTo = "max-ejection",
                    description = "First ejection time; each further failure doubles it.")
            Duration ejection,

            @Key(
                    defaultValue = "30s",
                    min = "1ms",
                    max = "1d",
                    needs = "failures",
                    description = "Maximum ejection time.")
            Duration maxEjection,

            @Key(
                    defaultValue = "50%",
                    needs = {"failures", "check.path"},
                    description = "Share of available endpoints below which all endpoints are used.")
            Share panic,

            @Key(
                    defaultValue = "0s",
                    min = "0",
                    max = "1d",
                    description = "Time in which the share of a recovered endpoint grows to normal; 0s: at once.")
            Duration slowStart,

            @Key(defaultValue = "{}", needs = "check.path", description = "Active health checks.")
            Check check) {}

    /** Active check of each endpoint. */
    public record Check(
            @Key(
                    defaultValue = "null",
                    description =
                            "Path of the check, such as `/healthz`; 2xx and 3xx are successes. `null`: no checks.")
            @Nullable
            String path,

            @Key(
                    defaultValue = "null",
                    description = "Host of the check; default: that of requests, or with `host: pass` the endpoint.")
            @Nullable
            String host,

            @Key(defaultValue = "5s", min = "10ms", max = "1d", description = "Time between two checks.")
            Duration interval,

            @Key(
                    defaultValue = "1s",
                    min = "1ms",
                    max = "1h",
                    description = "Maximum wait for a response; then the check failed.")
            Duration timeout,

            @Key(
                    defaultValue = "2",
                    min = "1",
                    max = "1000",
                    description = "Consecutive successes until an endpoint is used again.")
            int rise,

            @Key(
                    defaultValue = "3",
                    min = "1",
                    max = "1000",
                    description = "Consecutive failures until an endpoint is excluded.")
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
                    .done();
        }

        /** Returns whether endpoints are checked. */
        public boolean enabled() {
            return path != null;
        }
    }

    /** Breaker (circuit breaker) of an upstream. */
    public record Breaker(
            @Key(defaultValue = "false", description = "Whether the circuit breaker is used.")
            boolean enabled,

            @Key(
                    formerly = "failure-rate",
                    defaultValue = "50%",
                    description = "Share of failures (no response, 502, 503, 504) at which the breaker opens; then 503"
                            + " `upstream-down`.")
            Share failureRateThreshold,

            @Key(
                    formerly = "window",
                    defaultValue = "10s",
                    min = "1s",
                    max = "1h",
                    description = "Time whose exchanges are counted.")
            Duration slidingWindowSize,

            @Key(
                    formerly = "least-calls",
                    defaultValue = "20",
                    min = "1",
                    max = "1000000",
                    description = "Exchanges in the window below which the breaker stays closed.")
            int minimumNumberOfCalls,

            @Key(
                    formerly = "open",
                    defaultValue = "5s",
                    min = "1ms",
                    max = "1h",
                    description = "Time in the open state; then half-open.")
            Duration waitDurationInOpenState,

            @Key(
                    formerly = "trials",
                    defaultValue = "5",
                    min = "1",
                    max = "1000000",
                    description =
                            "Trial exchanges in the half-open state; their failure rate closes or opens the breaker.")
            int permittedNumberOfCallsInHalfOpenState) {

        public Breaker {
            Checks.of()
                    .that(
                            failureRateThreshold.fraction() > 0,
                            "failure-rate-threshold",
                            failureRateThreshold,
                            "more than 0%")
                    .done();
        }
    }
}
