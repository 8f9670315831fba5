package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.Key;
import dev.postern.app.config.type.Size;
import dev.postern.app.config.type.Span;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which requests go where, and what is asked of them. */
public record RouteConfig(
        @Key(or = "\"*\"", says = "Exact host, `*.suffix` or `*`.")
        String host,

        @Key(or = "/", says = "Path prefix on segment borders.")
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
        Span timeout,

        @Key(or = "null", says = "Overrides `limits.request-body`.") @Nullable
        Size requestBody,

        @Key(or = "{}", says = "Fields that are changed on the way to the upstream.")
        Headers headers,

        @Key(or = "null", says = "Another path for the upstream.") @Nullable
        String rewrite,

        @Key(or = "null", says = "Where to send the client instead.") @Nullable
        String redirect) {

    public RouteConfig {
        Checks.of()
                .that(
                        host.matches("\\*|(\\*\\.)?[a-z0-9._-]+|\\[[0-9a-f:.]+\\]"),
                        "host",
                        host,
                        "name in lower case, *.suffix or *")
                .that(path.startsWith("/"), "path", path, "a path that starts with /")
                .that(
                        !path.startsWith("/.postern/"),
                        "path",
                        path,
                        "not below /.postern/, which the gateway keeps for itself")
                .done();
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
                    says =
                            "What a token is bound to: `window`: this route and `challenge-window`; `prefix`: besides to the client's network"
                                    + " (/24, /56), so that tokens farmed elsewhere are worth nothing; `empty`: nothing, so that clients may"
                                    + " fetch tokens long before, and spends are remembered for `key-life`.")
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

    /** Fields that are changed on the way to the upstream. */
    public record Headers(
            @Key(or = "{}", says = "Fields to set.") Map<String, String> set,
            @Key(or = "[]", says = "Fields to remove.") List<String> remove) {

        public Headers {
            set = Map.copyOf(set);
            remove = List.copyOf(remove);
        }
    }
}
