package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.Key;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.Template;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fields that are changed: those of requests on the way to the upstream, and in {@code response} those of responses on the way back. */
public record HeadersConfig(
        @Key(
                or = "{}",
                says =
                        "Fields that requests get, in place of what they brought; applied last, so also `X-Forwarded-*` and `Via`. Values may hold `{client-address}` `{host}` `{scheme}` `{path}` `{query}`, as the client asked; `{{` is a brace. No fields of framing, routing and single connections, such as `Host`.")
        Map<String, String> set,

        @Key(or = "{}", says = "Fields that requests get besides.")
        Map<String, String> add,

        @Key(or = "[]", says = "Fields that requests lose.") List<String> remove,

        @Key(formerly = "answer", or = "{}", says = "The same for responses.")
        Response response) {

    public HeadersConfig {
        set = inOrder(set);
        add = inOrder(add);
        remove = List.copyOf(remove);
        check(set, add, remove);
    }

    /** Fields of responses. */
    public record Response(
            @Key(
                    or = "{}",
                    says =
                            "Fields that responds get, in place of what the upstream said; whatever their status, refusals of the gateway included, unless these say so themselves (`Cache-Control`, say).")
            Map<String, String> set,

            @Key(or = "{}", says = "Fields that responds get besides.")
            Map<String, String> add,

            @Key(or = "[]", says = "Fields that the upstream's responses lose.")
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

    private static void name(Checks checks, String key, String name) {
        checks.that(
                HeaderModifications.touchable(name),
                key,
                name,
                "the name of a field, and none of framing, routing or single connections");
    }
}
