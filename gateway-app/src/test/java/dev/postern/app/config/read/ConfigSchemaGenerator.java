package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.log.LogTarget;
import dev.postern.core.config.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.KeyNeed;
import dev.postern.core.config.KeyRange;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.SessionCount;
import dev.postern.ratelimit.store.TenantKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes docs/configuration.md and docs/gateway.schema.json from the records. */
public final class ConfigSchemaGenerator {

    private static final ConfigSchema ROOT = ConfigSchema.of(GatewayConfig.class);

    /** Patterns of scalar types. */
    private static final Map<Class<?>, String> PATTERNS = Map.of(
            Duration.class,
            "0|" + DurationText.PATTERN,
            ByteSize.class,
            "0|" + ByteSize.PATTERN,
            Rate.class,
            "0|" + Rate.PATTERN,
            Share.class,
            Share.PATTERN,
            SessionCount.class,
            SessionCount.PATTERN,
            HostPort.class,
            HostPort.PATTERN);

    private static final Map<FileKind, String> FILES = Map.of(
            FileKind.READABLE,
            "file",
            FileKind.SECRET,
            "secret file",
            FileKind.FOLDER,
            "folder",
            FileKind.PATH,
            "path",
            FileKind.AT,
            "range or file");

    /** Pattern of a value with a reference, which any key may have. */
    private static final String REFERENCE = "\\$\\{.+\\}";

    private static final Set<Class<?>> TEXTS =
            Set.of(String.class, Path.class, RateKey.class, TenantKey.class, LogTarget.class);
    private static final Set<Class<?>> ZERO = Set.of(Duration.class, ByteSize.class, Rate.class);

    private static final String INTRODUCTION = """
        # Configuration

        One YAML 1.2 file. `postern check -c gateway.yaml` reports every problem with line and column; unknown keys are problems.
        `postern config show` prints the effective values and their origins. Editors use [the schema](gateway.schema.json) with
        `# yaml-language-server: $schema=gateway.schema.json` as the first line.

        - **Overrides.** Environment variables override the file, `--set key=value` overrides both. The variable of a key is `POSTERN_` and the
          key in upper case with `_` for `.` and `-`, and an index from 0 for `[]`: `POSTERN_LISTENERS_0_ADDRESS`, `POSTERN_FORWARD_<NAME>_TOKEN`.
          `--set` also takes the name of an element: `--set listeners.web.address=127.0.0.1:0`. Values are YAML:
          `POSTERN_PRIVACY_PASS_LEDGER_MEMCACHED_SERVERS='["10.0.0.1:11211"]'`.
        - **Values.** Durations `50ms`, `10s`, `5m`, `1h`, `7d`; sizes `512B`, `16KiB`, `1MiB`, `2GiB`; rates `10/s`, `600/m`, `5000/h`; shares
          `1%`. Keys with the default `null` accept `null`: none.
        - **References.** In a value, `${NAME}` is a variable of the environment and `${file:NAME}` the content of a file up to its last line break:
          `uri: "redis://:${REDIS_PASSWORD}@cache:6379"`. A variable that is not set and a file that can't be read are problems. `$${` stands for
          `${`. The replaced text is one value, never YAML, and `config show` and messages show the reference instead. In `{ }` and `[ ]` the value
          needs quotes.
        - **Keys without effect.** `Needs` names another key of the same section or of one around: `balance: ring-hash` that value, `breaker.enabled`
          any value that is not off. `Up to` names a key that is a maximum unless it is 0. A key without effect, a value above its maximum, and
          an upstream, rate limit, issuer or forward policy that no key names are warnings.
        - **Files.** Names are relative to the directory of the configuration. A file with a ring, token, key or password is a problem if other
          users can write it, and a warning if other users can read it or its group can write it. Read access of the group is permitted. `KEY`
          beside `KEY-file` is a problem.
        - **Certificates.** Expired certificates are problems, and a chain whose second certificate did not sign the first; certificates that
          expire within 14 days are warnings, and hosts of routes that no certificate names.
        - **Routes.** A route for `*` or `*.suffix` that requires less (no token, no rate limit) than the route of one of its hosts with the same
          upstream is a warning, because a client can name another host. Routes of one host with different paths are not compared.
        - **Patterns.** A path is a prefix, a host is exact, `*.suffix` or `*`. A pattern of another program (`/admin/**`, `^/api`, `/users/:id`,
          `~ /x`, `.example.com`) is a problem, and a character that may be meant literally (`/a*b`) a warning; both name the right spelling.
        - **Loops.** An endpoint that is a listener of this gateway is a problem.
        - **Warnings.** `postern check --strict` takes them for problems.
        - **Reload.** SIGHUP, `POST /reload` or `watch: true` applies changes, except in sections that need a restart ([reload](reload.md)).

        ## Example

        ```yaml
        listeners:
          - {name: web, address: "0.0.0.0:8080"}
        privacy-pass:
          issuers:
            - {name: issuer.example, directory: "https://issuer.example/.well-known/private-token-issuer-directory"}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:9000"]}
        routes:
          - {host: "*", path: /, upstream: app}
        ```

        ## Keys

        """;

    private final StringBuilder page = new StringBuilder(INTRODUCTION);

    private ConfigSchemaGenerator() {}

    /** Returns the content of docs/configuration.md. */
    public static String markdown() {
        ConfigSchemaGenerator pages = new ConfigSchemaGenerator();
        for (ConfigSchema.Field field : ROOT.fields()) {
            pages.section(field);
        }
        return pages.page.toString();
    }

    private void section(ConfigSchema.Field field) {
        page.append("### ")
                .append(field.key())
                .append("\n\n")
                .append(field.about().description())
                .append(KeyNeed.documentation(field.about(), "`"))
                .append(field.about().restart() ? " Changes need a restart." : "")
                .append("\n\n```yaml\n")
                .append(Examples.of(field.key()))
                .append("```\n\n");
        StringBuilder rows = new StringBuilder();
        if (field.schema().kind() == ConfigSchema.Kind.LEAF) {
            row(rows, field, "", "");
        } else {
            rows(rows, field.schema(), field.key(), field.key());
        }
        page.append("| key | type | default | |\n| --- | --- | --- | --- |\n")
                .append(rows)
                .append('\n');
    }

    private void rows(StringBuilder rows, ConfigSchema configSchema, String path, String shown) {
        switch (configSchema.kind()) {
            case LIST -> rows(rows, configSchema.element(), path + "/0", shown + "[]");
            case MAP -> rows(rows, configSchema.element(), path + "/x", shown + ".<name>");
            case RECORD -> {
                for (ConfigSchema.Field field : configSchema.fields()) {
                    row(rows, field, path, shown);
                }
            }
            case LEAF -> {}
        }
    }

    private void row(StringBuilder rows, ConfigSchema.Field field, String path, String shown) {
        String node = ConfigNode.child(path, field.key());
        String key = shown.isEmpty() ? field.key() : shown + "." + field.key();
        @Nullable KeyRange range = KeyRange.of(field.about());
        String description = (field.about().description()
                        + KeyNeed.documentation(field.about(), "`")
                        + restart(field, path))
                .replace("|", "\\|");
        String value = field.required()
                ? "required, such as `" + field.about().example() + "`"
                : "`" + field.about().defaultValue() + "`";
        rows.append("| `")
                .append(key)
                .append("` | ")
                .append(type(field.schema(), field.about().file()))
                .append(range == null ? "" : ", " + range)
                .append(" | ")
                .append(value)
                .append(" | ")
                .append(description)
                .append(" |\n");
        rows(rows, field.schema(), node, key);
    }

    /** Returns the sentence about a restart, for a key whose section needs none by itself. */
    private static String restart(ConfigSchema.Field field, String path) {
        return field.about().restart() && !path.isEmpty() ? " Changes need a restart." : "";
    }

    private static String type(ConfigSchema configSchema, FileKind file) {
        return switch (configSchema.kind()) {
            case LIST -> "list of " + type(configSchema.element(), file);
            case MAP -> "names";
            case RECORD -> "keys";
            case LEAF -> file == FileKind.NONE ? leaf(configSchema.raw()) : FILES.getOrDefault(file, "");
        };
    }

    private static String leaf(Class<?> type) {
        if (type.isEnum()) {
            return "`" + ScalarReaders.choices(type).replace(" | ", "` `") + "`";
        }
        if (type == ByteRate.class) {
            return "bytes a second";
        }
        if (TEXTS.contains(type)) {
            return "text";
        }
        return Map.<Class<?>, String>of(
                        int.class, "number",
                        Integer.class, "number",
                        boolean.class, "boolean",
                        Duration.class, "duration",
                        ByteSize.class, "size",
                        Rate.class, "rate",
                        Share.class, "share",
                        SessionCount.class, "number or `auto`",
                        HostPort.class, "host:port")
                .getOrDefault(type, type.getSimpleName());
    }

    /** Returns every key of the page, in its order. */
    public static List<String> keys() {
        return markdown()
                .lines()
                .filter(l -> l.startsWith("| `"))
                .map(l -> l.split("`")[1])
                .toList();
    }

    /** Returns the JSON schema for editors. */
    public static String schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", "Postern");
        schema.putAll(schemaOf(ROOT, null));
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema) + "\n";
    }

    private static Map<String, Object> schemaOf(ConfigSchema configSchema, @Nullable KeyRange range) {
        Map<String, Object> schema = new LinkedHashMap<>();
        switch (configSchema.kind()) {
            case RECORD -> {
                schema.put("type", configSchema.nullable() ? List.of("object", "null") : "object");
                schema.put("additionalProperties", false);
                Map<String, Object> properties = new LinkedHashMap<>();
                configSchema.fields().forEach(field -> properties.put(field.key(), described(field)));
                schema.put("properties", properties);
                List<String> required = configSchema.fields().stream()
                        .filter(ConfigSchema.Field::required)
                        .map(ConfigSchema.Field::key)
                        .toList();
                if (!required.isEmpty()) {
                    schema.put("required", required);
                }
            }
            case LIST -> {
                schema.put("type", "array");
                schema.put("items", schemaOf(configSchema.element(), range));
            }
            case MAP -> {
                schema.put("type", "object");
                schema.put("additionalProperties", schemaOf(configSchema.element(), range));
            }
            case LEAF -> leafSchema(configSchema, range, schema);
        }
        return schema;
    }

    private static void leafSchema(ConfigSchema configSchema, @Nullable KeyRange range, Map<String, Object> schema) {
        Class<?> type = configSchema.raw();
        String pattern = PATTERNS.get(type);
        if (type.isEnum()) {
            List<String> choices = List.of(ScalarReaders.choices(type).split(" \\| "));
            schema.put("anyOf", List.of(Map.of("enum", choices), Map.of("pattern", REFERENCE)));
        } else if (type == boolean.class) {
            schema.put("type", List.of("boolean", "string"));
            schema.put("pattern", REFERENCE);
        } else if (type == int.class || type == Integer.class) {
            schema.put("type", types(configSchema, "integer", "string"));
            schema.put("pattern", REFERENCE);
            if (range != null) {
                schema.put("minimum", Integer.valueOf(range.min()));
                schema.put("maximum", Integer.valueOf(range.max()));
            }
        } else if (pattern == null) {
            // A text may look like a number, such as a port in a list.
            schema.put("type", types(configSchema, "string", "number"));
        } else {
            schema.put(
                    "type",
                    type == HostPort.class
                                    || type == Share.class
                                    || range != null && !range.min().equals("0")
                            ? types(configSchema, "string")
                            : types(configSchema, "string", "integer"));
            schema.put("pattern", "^(?:" + pattern + ")$|" + REFERENCE);
            if (type == SessionCount.class) {
                schema.put("minimum", 1);
                schema.put("maximum", 1_000_000);
            } else if (ZERO.contains(type) && (range == null || range.min().equals("0"))) {
                // Zero needs no unit.
                schema.put("minimum", 0);
                schema.put("maximum", 0);
            }
        }
    }

    private static Object types(ConfigSchema configSchema, String... types) {
        List<String> all = new ArrayList<>(List.of(types));
        if (configSchema.nullable()) {
            all.add("null");
        }
        return all.size() == 1 ? all.get(0) : all;
    }

    private static Map<String, Object> described(ConfigSchema.Field field) {
        @Nullable KeyRange range = KeyRange.of(field.about());
        Map<String, Object> schema = schemaOf(field.schema(), range);
        String description = field.about().description().replace("`", "") + KeyNeed.documentation(field.about(), "");
        // JSON schema has no ranges of values with units.
        boolean unstated = range != null && schema.containsKey("pattern");
        schema.put("description", unstated ? description + " Range: " + range + "." : description);
        if (field.about().file() != FileKind.NONE && field.about().file() != FileKind.AT) {
            // For editors that offer paths; others ignore it.
            schema.put("format", FILES.getOrDefault(field.about().file(), "").replace(' ', '-'));
        }
        if (!field.required()) {
            schema.put(
                    "default",
                    value(field.schema(), YamlText.value(field.about().defaultValue())));
        }
        return schema;
    }

    /** Converts a default to its JSON type. */
    private static @Nullable Object value(ConfigSchema configSchema, JsonNode node) {
        if (node.isNull()) {
            return null;
        }
        if (node.isArray()) {
            List<@Nullable Object> list = new ArrayList<>();
            node.forEach(element -> list.add(value(configSchema.element(), element)));
            return list;
        }
        if (node.isObject()) {
            return Map.of();
        }
        Class<?> type = configSchema.raw();
        String text = node.asString();
        if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        return type == int.class || type == Integer.class ? Integer.valueOf(text) : text;
    }
}
