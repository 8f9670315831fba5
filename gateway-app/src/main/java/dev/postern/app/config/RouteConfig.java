package dev.postern.app.config;

import dev.postern.app.config.type.ByteRate;
import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigSize;
import dev.postern.app.config.type.Key;
import dev.postern.app.config.type.Spelling;
import dev.postern.core.http.PathRules;
import dev.postern.core.route.transform.Rewrite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which requests go where, and what is asked of them. */
public record RouteConfig(
        @Key(
                or = "\"*\"",
                says =
                        "Exact host, `*.suffix` or `*`. Lower case, without a dot at its end: other spellings are brought to this one.")
        String host,

        @Key(
                or = "/",
                says =
                        "Path prefix on segment borders. A slash at its end is cut: `/api/` is `/api`, which covers `/api` and all below, as servlet containers do.")
        String path,

        @Key(example = "app", says = "Name of the upstream.")
        String upstream,

        @Key(
                or = "required",
                says = "`required`; `optional`: holders go first; `session`: the first token buys a cookie; `off`.")
        Token token,

        @Key(or = "null", says = "Name of the rate limit.") @Nullable
        String rateLimit,

        @Key(or = "{}", says = "How challenges of this route are made.")
        Challenge challenge,

        @Key(or = "forward", says = "A CORS preflight passes without token and room (`forward`), or not (`refuse`).")
        Preflight preflight,

        @Key(or = "0", says = "For the whole exchange; 0 for no limit.")
        ConfigDuration timeout,

        @Key(or = "null", says = "Overrides `limits.request-body`.") @Nullable
        ConfigSize requestBody,

        @Key(or = "null", says = "Overrides `limits.min-body-rate`.") @Nullable
        ByteRate minBodyRate,

        @Key(or = "{}", says = "Fields that are changed on the way to the upstream.")
        HeadersConfig headers,

        @Key(
                or = "null",
                says = "Another path for the upstream: `/new` in place of `path`; or `^/old/(.*)$ -> /new/$1`, where"
                        + " the expression has to cover the whole path, else it goes as it came. The query stays.")
        @Nullable
        String rewrite,

        @Key(or = "null", says = "Where to send clients instead, before a token is asked for.") @Nullable
        Redirect redirect,

        @Key(or = "null", says = "Closes the route for a while, before a token is asked for.") @Nullable
        Maintenance maintenance,

        @Key(or = "{}", says = "What connections may become when client and upstream agree to it (101).")
        Upgrade upgrade) {

    /** What a prefix of paths has to be. */
    static final String PATH =
            "a path that starts with / and that all servers read alike: without a query, without ; and without escapes of / ; ? # and of what needs none";

    public RouteConfig {
        host = Spelling.host(host);
        path = Spelling.path(path);
        Checks checks = Checks.of()
                .that(Spelling.isHost(host), "host", host, "name, *.suffix or *, without a port")
                .that(Spelling.isPath(path), "path", path, PATH)
                .that(
                        !PathRules.covers("/.postern", path),
                        "path",
                        path,
                        "not below /.postern/, which the gateway keeps for itself");
        String place = host;
        String prefix = path;
        checks.between("timeout", timeout, "0", "365d");
        if (rewrite != null) {
            checks.parses("rewrite", rewrite, () -> Rewrite.of(rewrite, prefix));
        }
        if (redirect != null) {
            checks.parses("redirect.to", redirect.to(), () -> redirect.rule(place));
        }
        checks.done();
    }

    /** What a route asks of a client. */
    public enum Token {
        REQUIRED,
        OPTIONAL,
        SESSION,
        OFF
    }

    /** What becomes of a CORS preflight. */
    public enum Preflight {
        FORWARD,
        REFUSE
    }

    /** How challenges of a route are made. */
    public record Challenge(
            @Key(or = "[]", says = "Only these issuers, by name, asked for in this order.")
            List<String> issuers,

            @Key(or = "[]", says = "Origins that these challenges name, instead of `privacy-pass.origin-names`.")
            List<String> originNames,

            @Key(
                    or = "window",
                    says = "What a token is bound to: `window`: this route and `challenge-window`; `prefix`: besides"
                            + " to the client's network (/24, /56), so that tokens farmed elsewhere are worth"
                            + " nothing; `empty`: nothing, so that clients may fetch tokens long before, and"
                            + " spends are remembered for `key-max-lifetime`.")
            Context context) {

        public Challenge {
            issuers = List.copyOf(issuers);
            originNames = List.copyOf(originNames);
            Checks checks = Checks.of();
            for (int i = 0; i < originNames.size(); i++) {
                checks.that(
                        PrivacyPassConfig.isOriginName(originNames.get(i)),
                        "origin-names." + i,
                        originNames.get(i),
                        "a host name in lower case");
            }
            checks.done();
        }
    }

    /** What the redemption context of a challenge says. */
    public enum Context {
        WINDOW,
        EMPTY,
        PREFIX
    }

    /** Where to send clients instead. */
    public record Redirect(
            @Key(
                    example = "\"https://{host}{path}{query}\"",
                    says = "A place, or a path that begins with `/` or `{path}`; with `{host}`, where the route names"
                            + " one, `{path}`, `{query}`, `{scheme}`, `{client-address}`. Who is there already"
                            + " goes on to the upstream: thus `http` becomes `https` and nothing goes in circles.")
            String to,

            @Key(or = "307", says = "301, 302, 303, 307 or 308. Permanent ones (301, 308) may be cached for an hour.")
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

        /** The rule of a route with that host; throws {@link IllegalArgumentException} with value and expectation. */
        public dev.postern.core.route.transform.Redirect rule(String host) {
            return dev.postern.core.route.transform.Redirect.of(to, status, host);
        }
    }

    /** A route that is closed for a while. */
    public record Maintenance(
            @Key(or = "null", says = "HTML file for people, up to 256 KiB; programs get problem+json.") @Nullable
            String page,

            @Key(or = "5m", says = "When to ask again, in whole seconds.")
            ConfigDuration retryAfter,

            @Key(or = "[]", says = "Address ranges of those who go on all the same.")
            List<String> bypass) {

        public Maintenance {
            bypass = List.copyOf(bypass);
            Checks checks = Checks.of().between("retry-after", retryAfter, "1s", "7d");
            Ranges.check(checks, "bypass", bypass);
            checks.done();
        }
    }

    /** What connections may become. */
    public record Upgrade(
            @Key(or = "[websocket]", says = "Protocols that `Upgrade` may name; others are not passed on.")
            List<String> protocols,

            @Key(or = "5m", says = "A connection that was upgraded is closed after this silence.")
            ConfigDuration idle,

            @Key(formerly = "life", or = "0", says = "And after so long anyway; 0 for never.")
            ConfigDuration maxLifetime) {

        public Upgrade {
            protocols = List.copyOf(protocols);
            Checks checks =
                    Checks.of().between("idle", idle, "1ms", "7d").between("max-lifetime", maxLifetime, "0", "365d");
            for (int i = 0; i < protocols.size(); i++) {
                checks.that(
                        protocols.get(i).matches("[a-z0-9][a-z0-9._/-]{0,31}")
                                && !protocols.get(i).equals("h2c"),
                        "protocols." + i,
                        protocols.get(i),
                        "a protocol in small letters, such as websocket, and not h2c");
            }
            checks.done();
        }
    }
}
