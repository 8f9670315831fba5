package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.ForeignPattern;
import dev.postern.core.config.Key;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.Template;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Header changes of a route: of requests to the upstream, and under {@code response} of responses to the client. */
public record HeadersConfig(
        @Key(
                defaultValue = "{}",
                description = "Replaces request fields; applied last, also to `X-Forwarded-*` and `Via`. Placeholders:"
                        + " `{client-address}` `{host}` `{scheme}` `{path}` `{query}` `{request-id}` of the client's request,"
                        + " `{client-cert-subject}` `{client-cert-fingerprint}` of its [certificate](routing.md#client-certificates);"
                        + " `{{` is a brace. Not for framing, routing and connection fields, such as `Host`.")
        Map<String, String> set,

        @Key(defaultValue = "{}", description = "Adds request fields.")
        Map<String, String> add,

        @Key(defaultValue = "[]", description = "Removes request fields.")
        List<String> remove,

        @Key(formerly = "answer", defaultValue = "{}", description = "Changes of response fields.")
        Response response) {

    public HeadersConfig {
        set = inOrder(set);
        add = inOrder(add);
        remove = List.copyOf(remove);
        check(set, add, remove);
    }

    /** Response field changes. */
    public record Response(
            @Key(
                    defaultValue = "{}",
                    description =
                            "Replaces response fields, whatever the status; in refusals except fields that these set"
                                    + " themselves, such as `Cache-Control`.")
            Map<String, String> set,

            @Key(defaultValue = "{}", description = "Adds response fields.")
            Map<String, String> add,

            @Key(defaultValue = "[]", description = "Removes fields of upstream responses.")
            List<String> remove) {

        public Response {
            set = inOrder(set);
            add = inOrder(add);
            remove = List.copyOf(remove);
            check(set, add, remove);
        }
    }

    private static Map<String, String> inOrder(Map<String, String> fields) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    private static void check(Map<String, String> set, Map<String, String> add, List<String> remove) {
        Checks checks = Checks.of();
        set.forEach((name, value) -> field(checks, "set." + name, name, value));
        add.forEach((name, value) -> field(checks, "add." + name, name, value));
        for (int i = 0; i < remove.size(); i++) {
            name(checks, "remove." + i, remove.get(i));
        }
        checks.done();
    }

    private static void field(Checks checks, String key, String name, String value) {
        name(checks, key, name);
        checks.parses(key, value, () -> Template.of(value));
    }

    private static String expected(String name) {
        return name.equalsIgnoreCase("host")
                ? "another field; upstreams[].host sets Host"
                : "the name of a field, and none of framing, routing or single connections";
    }

    private static void name(Checks checks, String key, String name) {
        ForeignPattern foreign = ForeignPattern.ofFieldName(name);
        checks.that(
                HeaderModifications.touchable(name) && foreign == null,
                key,
                name,
                foreign == null ? expected(name) : foreign.text());
    }
}
