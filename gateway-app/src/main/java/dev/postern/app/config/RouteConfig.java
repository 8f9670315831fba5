package dev.postern.app.config;

import dev.postern.auth.AuthSettings;
import dev.postern.core.config.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.ForeignPattern;
import dev.postern.core.config.Key;
import dev.postern.core.config.Spelling;
import dev.postern.core.http.PathRules;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.StaticResponse;
import dev.postern.core.route.transform.UpgradePolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Route: requests of a host and path prefix, their upstream and their requirements. */
public record RouteConfig(
        @Key(
                defaultValue = "\"*\"",
                description = "Exact host, `*.suffix` or `*`; normalized to lower case without a final dot.")
        String host,

        @Key(
                defaultValue = "/",
                description =
                        "Path prefix on segment borders, without patterns. `/api/` means `/api`, which matches `/api`"
                                + " and all paths below; `/api/*` is refused.")
        String path,

        @Key(
                defaultValue = "{}",
                description = "Further conditions; of routes with one host and path, the one with the more specific"
                        + " conditions counts ([conditions](routing.md#conditions)).")
        MatchConfig match,

        @Key(
                defaultValue = "null",
                example = "app",
                description =
                        "Name of the upstream; required unless `upstreams`, `respond` or `redirect` is given. `none`: only"
                                + " for listeners in mode `authorize`.")
        @Nullable
        String upstream,

        @Key(
                defaultValue = "[]",
                description = "Instead of `upstream`: upstreams of which each client address (IPv6: /64) has one"
                        + " ([canaries](routing.md#canaries)).")
        List<Weighted> upstreams,

        @Key(
                defaultValue = "null",
                needs = "upstreams",
                example = "release",
                description = "Name of a cookie by which a client keeps its upstream when its address changes; with"
                        + " the prefix `__Host-` where the client uses TLS.")
        @Nullable
        String stickyCookie,

        @Key(
                defaultValue = "required",
                needs = {"upstream: NAME", "upstreams"},
                description =
                        "`optional`: clients with a token go first; `session`: the first token buys a session cookie.")
        Route.Token token,

        @Key(
                defaultValue = "null",
                needs = {"upstream: NAME", "upstreams"},
                description = "Name of the rate limit.")
        @Nullable
        String rateLimit,

        @Key(
                defaultValue = "[]",
                file = FileKind.AT,
                description = "As `listeners[].allow`, of the clients of this route; others get 403.")
        List<String> allow,

        @Key(
                defaultValue = "[]",
                file = FileKind.AT,
                description = "Likewise of clients that get 403, also if `allow` has them.")
        List<String> deny,

        @Key(defaultValue = "{}", needs = "token", description = "Challenges of this route.")
        Challenge challenge,

        @Key(
                defaultValue = "forward",
                needs = {"token", "rate-limit"},
                description = "`forward`: CORS preflights need neither token nor room.")
        Preflight preflight,

        @Key(
                defaultValue = "0",
                min = "0",
                max = "365d",
                description =
                        "Maximum time of the whole exchange; then 408 while the body arrives, else 504. 0: no limit.")
        Duration timeout,

        @Key(defaultValue = "null", description = "Overrides `limits.request-body`.") @Nullable
        ByteSize requestBody,

        @Key(defaultValue = "null", description = "Overrides `limits.min-body-rate`.") @Nullable
        ByteRate minBodyRate,

        @Key(defaultValue = "{}", description = "Changes of header fields.")
        HeadersConfig headers,

        @Key(
                defaultValue = "null",
                description = "Path for the upstream: `/new` replaces `path`; `^/old/(.*)$ -> /new/$1` applies if the"
                        + " expression matches the whole path, else the path is unchanged. The query stays."
                        + " The result must be a path that a request can have, unlike `/..%23/new`: else the configuration or, with a"
                        + " pattern, the request is refused.")
        @Nullable
        String rewrite,

        @Key(
                defaultValue = "as-sent",
                needs = "rewrite: null",
                description = "Path for the upstream without `rewrite`. `as-sent`: byte for byte; `normal`: unreserved"
                        + " characters decoded, empty segments merged, dot segments resolved. With `rewrite` it is always"
                        + " `normal`.")
        RouteTransform.PathForm pathForm,

        @Key(defaultValue = "null", description = "Redirects clients, before a token is required.") @Nullable
        Redirect redirect,

        @Key(
                defaultValue = "null",
                description = "Response of the gateway instead of an upstream, before a token is required.")
        @Nullable
        Respond respond,

        @Key(
                defaultValue = "{}",
                file = FileKind.READABLE,
                description =
                        "HTML files for browsers in place of the pages for [refusals](refusals.md), by code, such as"
                                + " `upstream-down`, or status, such as `404`, with [placeholders](routing.md#responses-of-the-gateway). Not for the"
                                + " waiting room and `maintenance`.")
        Map<String, String> errorPages,

        @Key(defaultValue = "null", description = "Closes the route with 503, before a token is required.") @Nullable
        Maintenance maintenance,

        @Key(
                defaultValue = "{}",
                needs = "upgrade.protocols",
                description = "Protocols after 101 (Switching Protocols).")
        UpgradePolicy upgrade) {

    public RouteConfig {
        host = Spelling.host(host);
        path = Spelling.path(path);
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        Checks checks = Checks.of()
                .rangesAndFiles("allow", allow)
                .rangesAndFiles("deny", deny)
                .that(Spelling.isHost(host), "host", host, Spelling.hostExpected(host))
                .that(Spelling.isPath(path), "path", path, Spelling.pathExpected(path))
                .that(
                        !PathRules.covers("/.postern", path),
                        "path",
                        path,
                        "not below /.postern/, which the gateway keeps for itself");
        String place = host;
        String prefix = path;
        if (rewrite != null) {
            ForeignPattern foreign = ForeignPattern.ofRewrite(rewrite, prefix);
            if (foreign != null && ForeignPattern.isProblem(foreign)) {
                checks.that(false, "rewrite", rewrite, foreign.text());
            } else {
                checks.parses("rewrite", rewrite, () -> Rewrite.of(rewrite, prefix));
            }
        }
        upstreams = List.copyOf(upstreams);
        errorPages = Map.copyOf(errorPages);
        if (stickyCookie != null) {
            checks.name("sticky-cookie", stickyCookie)
                    .that(
                            !stickyCookie.startsWith("postern-"),
                            "sticky-cookie",
                            stickyCookie,
                            "a name that does not begin with postern-, as the gateway's other cookies do");
        }
        destination(checks, upstream, upstreams, redirect, respond);
        errorPages
                .keySet()
                .forEach(key -> checks.that(
                        isRefusal(key), "error-pages", key, "a status such as 404, or a code such as upstream-down"));
        if (redirect != null) {
            checks.parses("redirect.to", redirect.to(), () -> redirect.rule(place));
        }
        checks.done();
    }

    private static void destination(
            Checks checks,
            @Nullable String upstream,
            List<Weighted> upstreams,
            @Nullable Redirect redirect,
            @Nullable Respond respond) {
        long destinations = Stream.of(upstream != null, !upstreams.isEmpty(), respond != null)
                .filter(given -> given)
                .count();
        checks.that(
                destinations == 1 || destinations == 0 && redirect != null,
                "upstream",
                upstream == null ? "nothing" : upstream,
                destinations == 0
                        ? "the name of an upstream; or upstreams, respond or redirect"
                        : "one of upstream, upstreams and respond");
        checks.that(
                upstreams.isEmpty() || upstreams.stream().anyMatch(part -> part.weight() > 0),
                "upstreams",
                "weights of 0",
                "at least one weight above 0");
    }

    private static boolean isRefusal(String key) {
        return key.matches("[45][0-9][0-9]")
                || Arrays.stream(Refusal.values())
                        .anyMatch(refusal -> refusal.code().equals(key));
    }

    /** Returns whether requests may pass, to an upstream or by another proxy, and so need what the route requires. */
    public boolean passes() {
        return upstream != null || !upstreams.isEmpty();
    }

    /** Returns whether only another proxy forwards the requests of this route. */
    public boolean withoutUpstream() {
        return Route.NO_UPSTREAM.equals(upstream);
    }

    /** Returns the names of the upstreams. */
    public List<String> upstreamNames() {
        return upstream != null
                ? withoutUpstream() ? List.of() : List.of(upstream)
                : upstreams.stream().map(Weighted::name).toList();
    }

    /** Returns the name of the route in log, metrics and messages. */
    public String name() {
        return host + path + match;
    }

    /** Challenge settings of a route. */
    public record Challenge(
            @Key(defaultValue = "[]", description = "Names of the issuers in challenges, in this order; empty: all.")
            List<String> issuers,

            @Key(
                    defaultValue = "[]",
                    description = "Origin names in challenges, instead of `privacy-pass.origin-names`.")
            List<String> originNames,

            @Key(
                    defaultValue = "window",
                    description =
                            "Binding of tokens. `window`: route and `challenge-window`; `prefix`: also client network"
                                    + " (/24, /56), against tokens farmed elsewhere; `empty`: none, for tokens fetched long"
                                    + " before; spends are kept for `key-max-lifetime`.")
            ChallengeRule.Context context) {

        public Challenge {
            issuers = List.copyOf(issuers);
            originNames = List.copyOf(originNames);
            Checks.of()
                    .each("origin-names", originNames, AuthSettings::isOriginName, "a host name in lower case")
                    .done();
        }
    }

    /** Upstream of a part of the clients of a route. */
    public record Weighted(
            @Key(example = "app", description = "Name of the upstream.")
            String name,

            @Key(
                    defaultValue = "1",
                    min = "0",
                    max = "1000000",
                    description = "Share of the clients, in relation to the other weights; 0: none.")
            int weight) {}

    /** Static response of a route. */
    public record Respond(
            @Key(defaultValue = "200", min = "200", max = "599", description = "Status.")
            int status,

            @Key(
                    defaultValue = "\"\"",
                    description =
                            "Text of the body, in UTF-8. Placeholders: `{request-id}` `{status}`; `{{word}` for a word in"
                                    + " braces.")
            String body,

            @Key(
                    defaultValue = "{}",
                    description =
                            "Fields; default: `Content-Type: text/plain; charset=utf-8`, and `Cache-Control: no-store`.")
            Map<String, String> headers) {

        public Respond {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
            Checks checks = Checks.of()
                    .that(
                            body.isEmpty() || status != 204 && status != 304,
                            "body",
                            "a body",
                            "none with status " + status)
                    .parses("body", body, () -> StaticResponse.body(body));
            headers.forEach((name, value) -> checks.that(
                            HeaderModifications.touchable(name),
                            "headers." + name,
                            name,
                            "the name of a field, and none of framing, routing or single connections")
                    .that(
                            value.chars().allMatch(c -> c >= ' ' && c != 0x7f && c <= 0xff),
                            "headers." + name,
                            value,
                            "visible characters of ISO-8859-1"));
            checks.done();
        }
    }

    /** Redirect of a route. */
    public record Redirect(
            @Key(
                    example = "\"https://{host}{path}{query}\"",
                    description =
                            "URL, or path that begins with `/` or `{path}`. Placeholders: `{host}` (if the route names"
                                    + " one) `{path}` `{query}` `{scheme}` `{client-address}`. A request for this target is"
                                    + " forwarded, so `http` to `https` does not loop.")
            String to,

            @Key(
                    defaultValue = "307",
                    description = "301, 302, 303, 307 or 308. Clients may cache 301 and 308 for an hour.")
            int status) {

        public Redirect {
            Checks.of()
                    .that(
                            List.of(301, 302, 303, 307, 308).contains(status),
                            "status",
                            status,
                            "301 | 302 | 303 | 307 | 308")
                    .done();
        }

        /** Returns the rule for a route with that host; throws {@link IllegalArgumentException} with value and expectation. */
        public dev.postern.core.route.transform.Redirect rule(String host) {
            return dev.postern.core.route.transform.Redirect.of(to, status, host);
        }
    }

    /** Maintenance of a route: the route responds 503. */
    public record Maintenance(
            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description = "HTML file for browsers, up to 256 KiB; other clients get problem+json.")
            @Nullable
            String page,

            @Key(defaultValue = "5m", min = "1s", max = "7d", description = "`Retry-After`, in whole seconds.")
            Duration retryAfter,

            @Key(defaultValue = "[]", description = "Address ranges of clients that still reach the route.")
            List<String> bypass) {

        public Maintenance {
            bypass = List.copyOf(bypass);
            Checks.of().ranges("bypass", bypass).done();
        }
    }
}
