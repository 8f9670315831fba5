package dev.postern.app.config.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.AnchorNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads YAML 1.2 into a {@link ConfigNode} and keeps the place of each value, which a parser that binds types directly does not report. All
 * scalars stay text, because the key determines their type.
 */
final class YamlText {

    private static final int DEEPEST = 32;
    private static final String MERGE = "<<";

    private static final String MERGED = "<< (expected: the keys themselves, since sections are not merged; &NAME and"
            + " *NAME repeat a whole value)";

    private static final String BRACKETS = "a key in brackets (expected: a name; quotes around a value that begins with"
            + " { or [, and no {{ }}, which nothing fills in here)";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String name;
    private final ConfigNode configNode;
    private final List<Problem> problems;

    private YamlText(String name, ConfigNode configNode, List<Problem> problems) {
        this.name = name;
        this.configNode = configNode;
        this.problems = problems;
    }

    /** Reads a whole file into the tree; returns false if the text is not YAML. */
    static boolean read(String name, String text, ConfigNode configNode, List<Problem> problems) {
        return new YamlText(name, configNode, problems).file(text);
    }

    /** Parses the value of a variable or of {@code --set}; throws {@link IllegalArgumentException} if the text is not YAML. */
    static JsonNode value(String text) {
        List<Problem> problems = new ArrayList<>();
        try {
            Optional<Node> node = compose(text);
            if (node.isEmpty()) {
                return NODES.stringNode("");
            }
            JsonNode value = new YamlText("", new ConfigNode(), problems).convert(node.get(), "", 0);
            if (problems.isEmpty()) {
                return value;
            }
        } catch (YamlEngineException e) {
            // Without a place: positions inside a variable are of no use.
            throw new IllegalArgumentException(YamlFault.of(e, text).text(), e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException(YamlFault.nested().text(), e);
        }
        throw new IllegalArgumentException(problems.get(0).text());
    }

    private static Optional<Node> compose(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setAllowNonScalarKeys(true)
                .build();
        return new Compose(settings).composeString(text);
    }

    private boolean file(String text) {
        configNode.origin("", Provenance.file(name, 1, 1));
        try {
            Optional<Node> node = compose(text);
            if (node.isEmpty()) {
                return true;
            }
            JsonNode root = convert(node.get(), "", 0);
            if (root instanceof ObjectNode keys) {
                configNode.root().setAll(keys);
                return true;
            }
            if (root.isNull()) {
                return true;
            }
            problems.add(new Problem(configNode.origin(""), "", "no keys (expected: keys such as listeners:)"));
        } catch (YamlEngineException e) {
            problem(YamlFault.of(e, text));
        } catch (StackOverflowError e) {
            problem(YamlFault.nested()); // the library reads nested collections by recursion, without a limit
        }
        return false;
    }

    private void problem(YamlFault fault) {
        problems.add(new Problem(Provenance.file(name, fault.line(), fault.column()), "", fault.text()));
    }

    private JsonNode convert(Node node, String path, int depth) {
        Node real = node instanceof AnchorNode anchor ? anchor.getRealNode() : node;
        configNode.origin(path, origin(node.getStartMark()));
        if (depth > DEEPEST) {
            problems.add(new Problem(
                    configNode.origin(path), ConfigNode.dotted(path), "nested too deeply (expected: 32 levels)"));
            return NODES.nullNode();
        }
        if (real instanceof MappingNode mapping) {
            return mapping(mapping, path, depth);
        }
        if (real instanceof SequenceNode sequence) {
            return sequence(sequence, path, depth);
        }
        ScalarNode scalar = (ScalarNode) real;
        return scalar.getTag().equals(Tag.NULL) ? NODES.nullNode() : NODES.stringNode(scalar.getValue());
    }

    private JsonNode mapping(MappingNode mapping, String path, int depth) {
        ObjectNode object = NODES.objectNode();
        for (NodeTuple tuple : mapping.getValue()) {
            Node keyNode = tuple.getKeyNode();
            Provenance provenance = origin(keyNode.getStartMark());
            if (!(keyNode instanceof ScalarNode scalar)) {
                problems.add(new Problem(provenance, ConfigNode.dotted(path), BRACKETS));
                continue;
            }
            String key = scalar.getValue();
            if (key.equals(MERGE) || key.indexOf('/') >= 0) {
                problems.add(new Problem(
                        provenance,
                        ConfigNode.dotted(path),
                        key.equals(MERGE) ? MERGED : "a key with / (expected: none)"));
                continue;
            }
            String location = ConfigNode.child(path, key);
            if (object.has(key)) {
                String first = configNode.keyOrigin(location).toString();
                problems.add(new Problem(
                        provenance,
                        ConfigNode.dotted(location),
                        "given twice (expected: once; the first is at " + first + ")"));
                continue;
            }
            object.set(key, convert(tuple.getValueNode(), location, depth + 1));
            configNode.keyOrigin(location, provenance);
        }
        return object;
    }

    private JsonNode sequence(SequenceNode sequence, String path, int depth) {
        ArrayNode list = NODES.arrayNode();
        for (Node element : sequence.getValue()) {
            list.add(convert(element, ConfigNode.child(path, Integer.toString(list.size())), depth + 1));
        }
        return list;
    }

    private Provenance origin(Optional<Mark> mark) {
        return mark.map(m -> Provenance.file(name, m.getLine() + 1, m.getColumn() + 1))
                .orElse(Provenance.file(name, 1, 1));
    }
}
