package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.type.ByteRate;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigRate;
import dev.postern.app.config.type.ConfigShare;
import dev.postern.app.config.type.ConfigSize;
import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.SessionCount;
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
public final class ConfigurationPages {

    private static final ConfigSchema ROOT = ConfigSchema.of(GatewayConfig.class);

    /** What values with a form of their own look like. */
    private static final Map<Class<?>, String> PATTERNS = Map.of(
            ConfigDuration.class,
            "0|" + ConfigDuration.PATTERN,
            ConfigSize.class,
            "0|" + ConfigSize.PATTERN,
            ConfigRate.class,
            "0|" + ConfigRate.PATTERN,
            ConfigShare.class,
            ConfigShare.PATTERN,
            SessionCount.class,
            SessionCount.PATTERN,
            HostPort.class,
            HostPort.PATTERN);

    private static final Set<Class<?>> ZERO = Set.of(ConfigDuration.class, ConfigSize.class, ConfigRate.class);

    private static final String INTRODUCTION = """
        # Configuration

        One YAML file (1.2). `postern check -c gateway.yaml` tells every mistake at once, with its line and column; unknown keys are mistakes.
        `postern config show` prints what is in force and where each value comes from. For editors: `# yaml-language-server:
        $schema=gateway.schema.json` as the first line, with [the schema](gateway.schema.json).

        - **Order.** A variable of the environment overrides the file, `--set key=value` overrides both. `<n>` is the index in a list, from 0;
          `--set` also takes the element's name: `--set listeners.web.address=127.0.0.1:0`. `<name>` is a name of your own. The variable of a key is
          `POSTERN_` and the key in upper case, with `_` for each dot and hyphen. Values are YAML:
          `POSTERN_PRIVACY_PASS_LEDGER_MEMCACHED_SERVERS='["10.0.0.1:11211"]'`, `POSTERN_UPSTREAMS_0_POOL_IDLE=10s`.
        - **Values.** Durations `50ms`, `10s`, `5m`, `1h`, `7d`; sizes `512B`, `16KiB`, `1MiB`, `2GiB`; rates `10/s`, `600/m`, `5000/h`; shares
          `1%`. `null` means none.
          Nothing is put in for `${NAME}`: it stays as it is, with a warning.
        - **Files.** Names are relative to the directory of the configuration. A file with a ring, a token, a key or an address with a password that
          other users of the machine can write is a mistake, as it is to ssh; one that they can read, or that its group can write, is a warning. That
          the group can read it is all right: so Kubernetes hands a file to a process that is not root.
        - **Certificates** that have expired are mistakes, those that expire within 14 days warnings.
        - **Routes.** A route for `*` or `*.suffix` that asks for less (no token, no rate limit) than the route of one of its hosts, and leads to the same
          upstream, is a warning: whoever names another host gets past the stricter one. Routes of one host that differ by path are not meant.
        - **Reload.** What changes is in force after SIGHUP or `POST /reload`, but for the sections that say that they need a restart.

        ## A small one

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

        ## Every key

        """;

    private final StringBuilder page = new StringBuilder(INTRODUCTION);

    private ConfigurationPages() {}

    /** The page for people. */
    public static String markdown() {
        ConfigurationPages pages = new ConfigurationPages();
        for (ConfigSchema.Field field : ROOT.fields()) {
            pages.section(field);
        }
        return pages.page.toString();
    }

    private void section(ConfigSchema.Field field) {
        page.append("### ")
                .append(field.key())
                .append("\n\n")
                .append(field.about().says())
                .append(field.about().restart() ? " Changes need a restart." : "")
                .append("\n\n```yaml\n")
                .append(Examples.of(field.key()))
                .append("```\n\n");
        StringBuilder rows = new StringBuilder();
        rows(rows, field.schema(), field.key(), field.key());
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
        String place = ConfigNode.child(path, field.key());
        String key = shown + "." + field.key();
        String says = field.about().says().replace("|", "\\|");
        String value = field.required()
                ? "required, such as `" + field.about().example() + "`"
                : "`" + field.about().or() + "`";
        rows.append("| `")
                .append(key)
                .append("` | ")
                .append(type(field.schema()))
                .append(" | ")
                .append(value)
                .append(" | ")
                .append(says)
                .append(" |\n");
        rows(rows, field.schema(), place, key);
    }

    private static String type(ConfigSchema configSchema) {
        String type = switch (configSchema.kind()) {
            case LIST -> "list of " + type(configSchema.element());
            case MAP -> "names";
            case RECORD -> "keys";
            case LEAF -> leaf(configSchema.raw());
        };
        return configSchema.nullable() ? type + " or `null`" : type;
    }

    private static String leaf(Class<?> type) {
        if (type.isEnum()) {
            return "`" + ScalarReaders.choices(type).replace(" | ", "` `") + "`";
        }
        if (type == ByteRate.class) {
            return "bytes a second";
        }
        return Map.<Class<?>, String>of(
                        String.class, "text",
                        int.class, "number",
                        Integer.class, "number",
                        boolean.class, "`true` `false`",
                        ConfigDuration.class, "duration",
                        ConfigSize.class, "size",
                        ConfigRate.class, "rate",
                        ConfigShare.class, "share",
                        SessionCount.class, "number or `auto`",
                        HostPort.class, "host:port")
                .getOrDefault(type, type.getSimpleName());
    }

    /** Every key as a user writes it, for whom counts. */
    public static List<String> keys() {
        return markdown()
                .lines()
                .filter(l -> l.startsWith("| `"))
                .map(l -> l.split("`")[1])
                .toList();
    }

    /** The schema for editors. */
    public static String schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", "Postern");
        schema.putAll(schemaOf(ROOT));
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema) + "\n";
    }

    private static Map<String, Object> schemaOf(ConfigSchema configSchema) {
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
                schema.put("items", schemaOf(configSchema.element()));
            }
            case MAP -> {
                schema.put("type", "object");
                schema.put("additionalProperties", schemaOf(configSchema.element()));
            }
            case LEAF -> leafSchema(configSchema, schema);
        }
        return schema;
    }

    private static void leafSchema(ConfigSchema configSchema, Map<String, Object> schema) {
        Class<?> type = configSchema.raw();
        String pattern = PATTERNS.get(type);
        if (type.isEnum()) {
            schema.put("enum", List.of(ScalarReaders.choices(type).split(" \\| ")));
        } else if (type == boolean.class) {
            schema.put("type", "boolean");
        } else if (type == int.class || type == Integer.class) {
            schema.put("type", "integer");
        } else if (pattern == null) {
            // Texts may look like numbers: a port in a list.
            schema.put("type", types(configSchema, "string", "number"));
        } else {
            schema.put(
                    "type",
                    type == HostPort.class || type == ConfigShare.class
                            ? types(configSchema, "string")
                            : types(configSchema, "string", "integer"));
            schema.put("pattern", "^(?:" + pattern + ")$");
            if (type == SessionCount.class) {
                schema.put("minimum", 1);
                schema.put("maximum", 1_000_000);
            } else if (ZERO.contains(type)) {
                // The one that needs no unit.
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
        Map<String, Object> schema = schemaOf(field.schema());
        schema.put("description", field.about().says().replace("`", ""));
        if (!field.required()) {
            schema.put(
                    "default",
                    value(field.schema(), YamlText.value(field.about().or())));
        }
        return schema;
    }

    /** The value as JSON has it: numbers and truths are no texts there. */
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
