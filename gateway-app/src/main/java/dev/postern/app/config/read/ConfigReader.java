package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a configuration: file, then environment, then command line, and tells every problem at once. */
public final class ConfigReader {

    private static final Shape ROOT = Shape.of(GatewayConfig.class);
    private static final JsonMapper MAPPER = Leaves.mapper(ROOT);

    private final Map<String, String> environment;
    private final List<String> flags;

    /**
     * @param environment variables, of which those that begin with {@code POSTERN_} count
     * @param flags {@code key=value} each, keys dotted
     */
    public ConfigReader(Map<String, String> environment, List<String> flags) {
        this.environment = Map.copyOf(environment);
        this.flags = List.copyOf(flags);
    }

    /** Reads a file; throws {@link IOException} with value and expectation when it can't be read at all. */
    public Loaded read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " (expected: text in UTF-8)", e);
        } catch (IOException e) {
            throw new IOException(file + " (expected: a configuration file that can be read)", e);
        }
        Path parent = file.toAbsolutePath().getParent();
        return read(file.toString(), text, parent == null ? Path.of("") : parent);
    }

    /**
     * Reads a text.
     *
     * @param name what problems call it
     * @param base the directory that relative file names start from
     */
    public Loaded read(String name, String text, Path base) {
        Tree tree = new Tree();
        List<Problem> problems = new ArrayList<>();
        List<Problem> warnings = new ArrayList<>();
        boolean readable = YamlText.read(name, text, tree, problems);
        Overrides overrides = new Overrides(ROOT, tree, problems, warnings);
        overrides.environment(environment);
        overrides.flags(flags);
        JsonNode whole = new Completion(tree, problems, MAPPER).complete(ROOT, tree.root(), "");
        GatewayConfig config = construct(whole);
        if (readable) {
            new CrossChecks(config, adder(tree, problems), adder(tree, warnings)).run();
            new FileChecks(config, base, adder(tree, problems)).run();
        }
        problems.sort(Problem.ORDER);
        warnings.sort(Problem.ORDER);
        List<Loaded.Effective> effective = EffectiveValues.of(ROOT, whole, tree);
        return new Loaded(config, firstOfEach(problems), List.copyOf(warnings), effective, base);
    }

    private static GatewayConfig construct(JsonNode whole) {
        try {
            return MAPPER.treeToValue(whole, GatewayConfig.class);
        } catch (JacksonException e) {
            throw new IllegalStateException("configuration: can't be built from its own defaults", e);
        }
    }

    private static BiConsumer<String, String> adder(Tree tree, List<Problem> to) {
        return (path, text) -> to.add(new Problem(tree.given(path), Tree.dotted(path), text));
    }

    /** One line for one value: what follows from a mistake is not told beside it. */
    private static List<Problem> firstOfEach(List<Problem> sorted) {
        List<Problem> first = new ArrayList<>();
        for (Problem problem : sorted) {
            boolean known = first.stream()
                    .anyMatch(p -> p.at().equals(problem.at()) && p.key().equals(problem.key()));
            if (!known) {
                first.add(problem);
            }
        }
        return List.copyOf(first);
    }
}
