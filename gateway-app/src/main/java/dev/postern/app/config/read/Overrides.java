package dev.postern.app.config.read;

import dev.postern.core.config.Kebab;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Overrides of the file: the environment, then the command line. */
final class Overrides {

    static final String PREFIX = "POSTERN_";

    /** Variables of the launcher. */
    private static final Set<String> LAUNCHER = Set.of("POSTERN_JAVA_OPTS", "POSTERN_HOME", "POSTERN_CONFIG");

    /** Variables that Kubernetes sets for a service named postern. */
    private static final String KUBERNETES = "POSTERN_(.*_)?(SERVICE_(HOST|PORT(_.*)?)|PORT(_.*)?)";

    private final ConfigSchema root;
    private final ConfigNode node;
    private final List<Problem> problems;
    private final Set<String> ignored = new TreeSet<>();

    Overrides(ConfigSchema root, ConfigNode node, List<Problem> problems) {
        this.root = root;
        this.node = node;
        this.problems = problems;
    }

    void environment(Map<String, String> variables) {
        new TreeMap<>(variables).forEach((name, value) -> {
            if (name.startsWith(PREFIX) && !LAUNCHER.contains(name)) {
                variable(name, value);
            }
        });
    }

    private void variable(String name, String value) {
        List<String> path = find(root, name.substring(PREFIX.length()));
        if (path != null) {
            put(path, value, Provenance.variable(name));
        } else if (!name.matches(KUBERNETES)) {
            ignored.add(name);
        }
    }

    /** Returns warnings of the variables that no key has the name of, but those that values refer to. */
    List<Problem> ignored(Set<String> referred) {
        return ignored.stream()
                .filter(name -> !referred.contains(name))
                .map(name -> new Problem(Provenance.variable(name), "", "no key has that name; it is ignored"))
                .toList();
    }

    /** @param settings {@code key=value} each, with dotted keys */
    void flags(List<String> settings) {
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals <= 0) {
                // The text after the key may be a value, and the value a password.
                String key = setting.replaceFirst("[^A-Za-z0-9._-].*", "");
                problems.add(new Problem(Provenance.flag(key), "", "no value (expected: key=value)"));
                continue;
            }
            String key = setting.substring(0, equals);
            List<String> path = resolve(key);
            if (path != null) {
                put(path, setting.substring(equals + 1), Provenance.flag(key));
            }
        }
    }

    private void put(List<String> path, String value, Provenance provenance) {
        try {
            node.put(path, YamlText.value(value), provenance);
        } catch (IllegalArgumentException e) {
            String key = String.join(".", path);
            problems.add(new Problem(provenance, key, String.valueOf(e.getMessage())));
        }
    }

    /** Resolves a dotted key, with elements of lists by index or by name; for an unknown key adds a problem and returns null. */
    private @Nullable List<String> resolve(String dotted) {
        List<String> path = new ArrayList<>();
        ConfigSchema schema = root;
        for (String word : dotted.split("\\.", -1)) {
            ConfigSchema.Field field = schema.field(word);
            switch (schema.kind()) {
                case RECORD -> {
                    if (field == null) {
                        problems.add(new Problem(Provenance.flag(dotted), word, schema.expected(word)));
                        return null;
                    }
                    schema = field.schema();
                    path.add(word);
                }
                case LIST -> {
                    List<String> names = node.names(String.join("/", path));
                    int named = names.indexOf(word);
                    if (named < 0 && !ConfigNode.isIndex(word)) {
                        unknown(dotted, word, names, "an index such as 0");
                        return null;
                    }
                    path.add(ConfigNode.isIndex(word) ? word : Integer.toString(named));
                    schema = schema.element();
                }
                case MAP -> {
                    path.add(word);
                    schema = schema.element();
                }
                case LEAF -> {
                    unknown(dotted, word, List.of(), "no further key");
                    return null;
                }
            }
        }
        return path;
    }

    /** @param none expectation where no element has a name */
    private void unknown(String dotted, String word, List<String> names, String none) {
        List<String> known = names.stream().filter(name -> !name.isEmpty()).toList();
        String expected = known.isEmpty() ? none : "one of " + String.join(", ", known);
        problems.add(new Problem(
                Provenance.flag(dotted),
                word,
                "unknown key (expected: " + expected + SpellingSuggestion.hint(word, known) + ")"));
    }

    /** Returns the path for the name of a variable, or null. */
    private static @Nullable List<String> find(ConfigSchema schema, String name) {
        return switch (schema.kind()) {
            case RECORD -> inRecord(schema, name);
            case LIST -> {
                int end = name.indexOf('_');
                String index = end < 0 ? name : name.substring(0, end);
                yield ConfigNode.isIndex(index) ? join(index, rest(schema.element(), name, index)) : null;
            }
            case MAP -> inMap(schema, name);
            case LEAF -> null;
        };
    }

    private static @Nullable List<String> inRecord(ConfigSchema schema, String name) {
        for (ConfigSchema.Field field : schema.fields()) {
            String word = Kebab.environment(field.key());
            if (name.equals(word) || name.startsWith(word + "_")) {
                List<String> found = join(field.key(), rest(field.schema(), name, word));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static @Nullable List<String> inMap(ConfigSchema schema, String name) {
        for (int end = name.indexOf('_'); end > 0; end = name.indexOf('_', end + 1)) {
            String key = name.substring(0, end);
            List<String> found = rest(schema.element(), name, key);
            if (found != null) {
                return join(key.toLowerCase(Locale.ROOT).replace('_', '-'), found);
            }
        }
        return null;
    }

    private static @Nullable List<String> rest(ConfigSchema schema, String name, String word) {
        return name.length() == word.length() ? List.of() : find(schema, name.substring(word.length() + 1));
    }

    private static @Nullable List<String> join(String first, @Nullable List<String> rest) {
        if (rest == null) {
            return null;
        }
        List<String> all = new ArrayList<>(rest.size() + 1);
        all.add(first);
        all.addAll(rest);
        return all;
    }
}
