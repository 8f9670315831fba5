package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.http.Protocol;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.upstream.endpoint.EndpointSpec;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.HostRule;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.endpoint.UpstreamSettings.ProxyProtocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Upstream: a named group of servers behind the gateway. */
public record UpstreamConfig(
        @Key(example = "app", description = "Name in routes, log and meters.")
        String name,

        @Key(
                example = "[\"127.0.0.1:9000\"]",
                description =
                        "`host:port`; `dns:host:port`: each address of the name, resolved repeatedly; `unix:/path`"
                                + " (epoll only). Optional suffix ` weight=2`.")
        List<String> endpoints,

        @Key(
                defaultValue = "h1",
                description = "`h2`: by prior knowledge, or by ALPN over TLS, which the server must accept.")
        Protocol protocol,

        @Key(
                defaultValue = "pass",
                description =
                        "`Host`, or `:authority` with `h2`, of requests: `pass`: that of the client; `endpoint`: the name"
                                + " and port of the endpoint; or a name such as `app.example`, which TLS uses too"
                                + " ([upstream host](routing.md#host-for-the-upstream)).")
        String host,

        @Key(
                defaultValue = "least-of-two",
                description = "`least-of-two`: the less busy of two random endpoints; `round-robin`; `ring-hash` by"
                        + " `hash-by`; or the name of an extension.")
        String balance,

        @Key(
                defaultValue = "client-address",
                needs = "balance: ring-hash",
                description =
                        "Key of the hash: `client-address`, `path`, `header:NAME` or `cookie:NAME`; the address if"
                                + " absent.")
        String hashBy,

        @Key(defaultValue = "null", description = "Overrides `transport.congestion-control` for upstream connections.")
        @Nullable
        String congestionControl,

        @Key(
                defaultValue = "off",
                description =
                        "PROXY protocol header with the client's address: `v1` text, `v2` binary. A connection then"
                                + " serves one client connection; health checks send `UNKNOWN` or `LOCAL`.")
        ProxyProtocol proxyProtocol,

        @Key(
                defaultValue = "forward",
                description =
                        "Who decides whether a client that sent `Expect: 100-continue` sends its body. `forward`: the"
                                + " upstream gets the field, and the client 100 with the upstream's, or after 1 s without a"
                                + " response; `answer`: the gateway sends 100 when it forwards the request.")
        UpstreamSettings.Expect expect,

        @Key(defaultValue = "{}", description = "Timeouts of exchanges.")
        UpstreamSettings.Timeouts timeouts,

        @Key(defaultValue = "{}", description = "Connection pool.")
        UpstreamSettings.Pool pool,

        @Key(defaultValue = "{}", description = "Retries.") UpstreamSettings.Retry retry,

        @Key(defaultValue = "{}", description = "Active and passive health checks.")
        UpstreamSettings.Health health,

        @Key(defaultValue = "{}", needs = "breaker.enabled", description = "Circuit breaker.")
        UpstreamSettings.Breaker breaker,

        @Key(defaultValue = "null", description = "TLS to the endpoints; `null`: plain text.")
        ClientTls.@Nullable Settings tls) {

    /** Built-in rules that choose an endpoint. */
    public static final List<String> BALANCES = List.of("least-of-two", "round-robin", "ring-hash");

    public UpstreamConfig {
        endpoints = List.copyOf(endpoints);
        Checks checks =
                Checks.of().name("name", name).that(!endpoints.isEmpty(), "endpoints", endpoints, "at least one");
        checks.parses("host", host, () -> HostRule.of(host));
        boolean named = tls != null && tls.serverName() != null
                || !List.of("pass", "endpoint").contains(host);
        for (int i = 0; i < endpoints.size(); i++) {
            String endpoint = endpoints.get(i);
            checks.parses("endpoints." + i, endpoint, () -> EndpointSpec.of(endpoint));
            checks.that(
                    tls == null || named || !endpoint.startsWith("unix:"),
                    "endpoints." + i,
                    endpoint,
                    "host:port, or a server-name in tls, since a path is in no certificate");
        }
        checks.that(
                balance.matches("[a-z][a-z0-9-]{0,62}"),
                "balance",
                balance,
                String.join(" | ", BALANCES) + " | the name of an extension");
        checks.parses("hash-by", hashBy, () -> HashPolicy.of(hashBy));
        checks.that(
                proxyProtocol == ProxyProtocol.OFF || protocol == Protocol.H1,
                "proxy-protocol",
                proxyProtocol,
                "off with protocol h2, since many clients share a connection there");
        TransportConfig.checkCongestionControl(checks, congestionControl);
        checks.done();
    }
}
