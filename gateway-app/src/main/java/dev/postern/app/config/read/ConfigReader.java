package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.type.Mask;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a configuration: file, then environment, then command line; reports all problems together. */
public final class ConfigReader {

    private static final ConfigSchema ROOT = ConfigSchema.of(GatewayConfig.class);
    private static final JsonMapper MAPPER = ScalarReaders.mapper(ROOT);

    private final Map<String, String> environment;
    private final List<String> flags;
    private final InstantSource clock;

    /**
     * @param environment variables; those that begin with {@code POSTERN_} override keys, and values may refer to any
     * @param flags {@code key=value} each, with dotted keys
     */
    public ConfigReader(Map<String, String> environment, List<String> flags) {
        this(environment, flags, InstantSource.system());
    }

    /** @param clock for the expiry of certificates */
    ConfigReader(Map<String, String> environment, List<String> flags, InstantSource clock) {
        this.environment = Map.copyOf(environment);
        this.flags = List.copyOf(flags);
        this.clock = clock;
    }

    /** Reads a file; throws {@link IOException} with value and expectation if the file cannot be read. */
    public LoadedConfig read(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        SourceFiles.Reader files = new SourceFiles.Reader(parent == null ? Path.of("") : parent);
        String text;
        try {
            text = files.read(file.toAbsolutePath());
        } catch (CharacterCodingException e) {
            throw new IOException(file + " (expected: text in UTF-8)", e);
        } catch (IOException e) {
            throw new IOException(file + " (expected: a configuration file that can be read)", e);
        }
        return read(file.toString(), text, files);
    }

    /**
     * Reads a text.
     *
     * @param name of the text in messages
     * @param base the directory that relative file names start from
     */
    public LoadedConfig read(String name, String text, Path base) {
        return read(name, text, new SourceFiles.Reader(base));
    }

    private LoadedConfig read(String name, String text, SourceFiles.Reader sources) {
        ConfigNode node = new ConfigNode();
        List<Problem> problems = new ArrayList<>();
        List<Problem> warnings = new ArrayList<>();
        boolean readable = YamlText.read(name, text, node, problems);
        Overrides overrides = new Overrides(ROOT, node, problems);
        overrides.environment(environment);
        overrides.flags(flags);
        Findings findings = new Findings(node, problems, warnings);
        Substitution substitution = new Substitution(environment, sources, findings);
        substitution.run(node.root());
        warnings.addAll(overrides.ignored(substitution.variables()));
        JsonNode whole = new ConfigCompletion(node, findings, MAPPER).complete(ROOT, node.root(), "");
        KeyFiles files = new KeyFiles(sources.base(), findings);
        GatewayConfig config = MAPPER.treeToValue(files.resolved(ROOT, whole), GatewayConfig.class);
        if (readable) {
            new EffectChecks(findings).run(ROOT, node.root(), whole);
            new ReferenceChecks(config, findings).run();
            new CrossChecks(config, findings).run();
            new LoopChecks(config, findings).run();
            new RouteChecks(config, findings).run();
            new SiteNameChecks(config, findings).originNames();
            new BypassChecks(config, findings).run();
            new PatternChecks(config, findings).run();
            new DangerChecks(config, findings).run();
            new FileChecks(config, files.check(ROOT, whole), clock, findings).run();
        }
        List<LoadedConfig.Effective> effective = EffectiveValues.of(ROOT, whole, node, findings.forms());
        return new LoadedConfig(config, findings.problems(), findings.warnings(), effective, sources.files());
    }

    /** Lists every effective value with its origin; secrets are masked, and what came from outside is shown as it was written. */
    private static final class EffectiveValues {

        private final ConfigNode configNode;
        private final WrittenForms forms;
        private final List<LoadedConfig.Effective> values = new ArrayList<>();

        private EffectiveValues(ConfigNode configNode, WrittenForms forms) {
            this.configNode = configNode;
            this.forms = forms;
        }

        static List<LoadedConfig.Effective> of(
                ConfigSchema root, JsonNode whole, ConfigNode configNode, WrittenForms forms) {
            EffectiveValues values = new EffectiveValues(configNode, forms);
            values.visit(root, whole, "", false);
            return List.copyOf(values.values);
        }

        private void visit(ConfigSchema schema, JsonNode node, String path, boolean secret) {
            if (node.isNull() || schema.kind() == ConfigSchema.Kind.LEAF) {
                String written = forms.at(path);
                String value = written == null ? node.asString() : written;
                add(path, node.isNull() ? "null" : secret ? masked(value) : Mask.message(value));
            } else if (schema.kind() == ConfigSchema.Kind.RECORD) {
                for (ConfigSchema.Field field : schema.fields()) {
                    boolean hidden = field.about().secret();
                    visit(field.schema(), node.path(field.key()), ConfigNode.child(path, field.key()), hidden);
                }
                emptyCollection(node, path, "{}");
            } else if (node.isArray()) {
                for (int i = 0; i < node.size(); i++) {
                    visit(schema.element(), node.path(i), ConfigNode.child(path, Integer.toString(i)), secret);
                }
                emptyCollection(node, path, "[]");
            } else {
                node.properties()
                        .forEach(
                                e -> visit(schema.element(), e.getValue(), ConfigNode.child(path, e.getKey()), secret));
                emptyCollection(node, path, "{}");
            }
        }

        private void emptyCollection(JsonNode node, String path, String text) {
            if (node.isEmpty()) {
                add(path, text);
            }
        }

        private void add(String path, String value) {
            values.add(new LoadedConfig.Effective(ConfigNode.dotted(path), value, configNode.origin(path)));
        }

        /** Masks a secret; of a URL only the part before the @, because the address is not secret. */
        private static String masked(String value) {
            return value.contains("://") ? Mask.value(value) : "***";
        }
    }
}
