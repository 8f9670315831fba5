package dev.postern.app.config;

import dev.postern.auth.AuthSettings;
import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Key;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.RequestIdSettings;
import dev.postern.core.headers.ClientClaims;
import dev.postern.core.http.Protocol;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.tls.ServerTls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Listener: one address where clients connect. */
public record ListenerConfig(
        @Key(example = "web", description = "Name in log and meters.")
        String name,

        @Key(example = "0.0.0.0:8080", description = "Address to bind; port 0 takes a free port.")
        HostPort address,

        @Key(
                defaultValue = "reverse",
                description =
                        "`reverse`: in front of a site (401). `forward`: forward proxy (407, CONNECT, absolute-form)."
                                + " `authorize`: decides for another proxy, and forwards nothing ([authorize](authorize.md)).")
        ListenerInfo.Mode mode,

        @Key(
                defaultValue = "nginx",
                needs = "mode: authorize",
                description =
                        "How another proxy describes the request that it asks about. `nginx`: `X-Original-URL` and"
                                + " `X-Original-Method`; `forwarded`: `X-Forwarded-Method`, `-Proto`, `-Host` and `-Uri`; `envoy`: method, host and"
                                + " path of the question.")
        ListenerInfo.Dialect dialect,

        @Key(
                defaultValue = "\"\"",
                needs = "dialect: envoy",
                description = "What the proxy puts before the path of its questions, such as `/ask`.")
        String pathPrefix,

        @Key(
                defaultValue = "[h1, h2]",
                description = "`h2` is negotiated by ALPN over TLS, and by prior knowledge without TLS.")
        List<Protocol> protocols,

        @Key(
                defaultValue = "[]",
                description =
                        "Address ranges whose `Forwarded`, `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and PROXY"
                                + " protocol are trusted. In mode `authorize` only these may ask, so that it is required.")
        List<String> trustedProxies,

        @Key(
                defaultValue = "[]",
                needs = "trusted-proxies",
                description =
                        "Further fields that trusted proxies may send, such as `X-Forwarded-Prefix`; from other clients"
                                + " they are [withheld](http.md#withheld-fields).")
        List<String> trustedFields,

        @Key(
                defaultValue = "auto",
                needs = "trusted-proxies",
                description =
                        "Fields in which `trusted-proxies` report client, scheme and host. `auto`: `Forwarded` and"
                                + " `X-Forwarded-*`, and 400 where they contradict each other; `forwarded`, `x-forwarded`: these"
                                + " alone, the others are removed.")
        ListenerInfo.Forwarded forwarded,

        @Key(
                defaultValue = "off",
                description = "`required`: only `trusted-proxies` may connect, and each connection starts with a PROXY"
                        + " protocol header (version 1 or 2).")
        ProxyProtocol proxyProtocol,

        @Key(
                defaultValue = "[]",
                file = FileKind.AT,
                description =
                        "Address ranges of the only clients that are served, and files with one range a line, such as"
                                + " `\"@office.txt\"`; empty: all ([addresses](routing.md#addresses)).")
        List<String> allow,

        @Key(
                defaultValue = "[]",
                file = FileKind.AT,
                description = "Likewise of clients that are not served, also if `allow` has them.")
        List<String> deny,

        @Key(defaultValue = "null", description = "Overrides `transport.congestion-control` for accepted connections.")
        @Nullable
        String congestionControl,

        @Key(
                defaultValue = "null",
                example = "default",
                description = "Name of a policy in `forward`; required in mode `forward` and only there.")
        @Nullable
        String forward,

        @Key(
                defaultValue = "null",
                needs = "mode: forward",
                description =
                        "Origin name of a forward listener in challenges, instead of `privacy-pass.origin-names`.")
        @Nullable
        String originName,

        @Key(
                defaultValue = "false",
                description =
                        "Adds `Server-Timing` with stage times to responses. Only for internal listeners: it reveals"
                                + " results of token checks.")
        boolean serverTiming,

        @Key(
                defaultValue = "{}",
                description =
                        "Ids of exchanges ([observe](observe.md#find-one-request)); `null`: none. Forward listeners have none.")
        @Nullable
        RequestIdSettings requestId,

        @Key(defaultValue = "null", description = "Certificates; `null`: plain text.")
        ServerTls.@Nullable Settings tls) {

    public ListenerConfig {
        protocols = List.copyOf(protocols);
        trustedProxies = List.copyOf(trustedProxies);
        trustedFields = List.copyOf(trustedFields);
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        Checks checks = Checks.of()
                .name("name", name)
                .ranges("trusted-proxies", trustedProxies)
                .rangesAndFiles("allow", allow)
                .rangesAndFiles("deny", deny);
        checks.each(
                "trusted-fields",
                trustedFields,
                ClientClaims::contains,
                "a field that is withheld otherwise, such as X-Forwarded-Prefix");
        checks.that(!protocols.isEmpty(), "protocols", protocols, "at least one of h1, h2");
        checks.that(
                mode != ListenerInfo.Mode.FORWARD || forward != null,
                "forward",
                "nothing",
                "the name of rules in forward:");
        checks.that(
                mode == ListenerInfo.Mode.FORWARD || forward == null,
                "forward",
                forward + "",
                "mode: forward, or no rules for it");
        checks.that(
                mode == ListenerInfo.Mode.REVERSE || forwarded == ListenerInfo.Forwarded.AUTO,
                "forwarded",
                forwarded,
                "auto, or mode: reverse; forward listeners remove all of these fields");
        checks.that(
                proxyProtocol == ProxyProtocol.OFF || !trustedProxies.isEmpty(),
                "proxy-protocol",
                proxyProtocol,
                "off, or trusted-proxies that send it");
        authorize(checks, mode, trustedProxies, proxyProtocol, pathPrefix);
        checks.that(
                originName == null || AuthSettings.isOriginName(originName),
                "origin-name",
                originName + "",
                "a host name in lower case");
        checks.that(
                requestId == null || HeaderModifications.touchable(requestId.field()),
                "request-id.field",
                requestId == null ? "" : requestId.field(),
                "the name of a field, and none of framing, routing or single connections");
        TransportConfig.checkCongestionControl(checks, congestionControl);
        checks.done();
    }

    private static void authorize(
            Checks checks, ListenerInfo.Mode mode, List<String> trusted, ProxyProtocol proxyProtocol, String prefix) {
        boolean authorize = mode == ListenerInfo.Mode.AUTHORIZE;
        checks.that(
                !authorize || !trusted.isEmpty(),
                "trusted-proxies",
                "nothing",
                "the addresses of the proxies that may ask, such as 127.0.0.0/8");
        checks.that(
                !authorize || proxyProtocol == ProxyProtocol.OFF,
                "proxy-protocol",
                proxyProtocol,
                "off in mode authorize, whose peers are the proxies themselves");
        checks.that(
                prefix.isEmpty() || prefix.matches("(/[A-Za-z0-9._~-]+)+") && !prefix.matches(".*/\\.{1,2}(/.*)?"),
                "path-prefix",
                prefix,
                "a path such as /ask, without a slash at its end");
    }

    /** PROXY protocol header at the start of accepted connections. */
    public enum ProxyProtocol {
        OFF,
        REQUIRED
    }
}
