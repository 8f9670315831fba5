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
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.UpgradePolicy;
import java.time.Duration;
import java.util.List;
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

        @Key(example = "app", description = "Name of the upstream.")
        String upstream,

        @Key(
                defaultValue = "required",
                description =
                        "`optional`: clients with a token go first; `session`: the first token buys a session cookie.")
        Route.Token token,

        @Key(defaultValue = "null", description = "Name of the rate limit.") @Nullable
        String rateLimit,

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
        Checks checks = Checks.of()
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
        if (redirect != null) {
            checks.parses("redirect.to", redirect.to(), () -> redirect.rule(place));
        }
        checks.done();
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
