package dev.postern.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Table of layers in docs/architecture.md: {@code | module | layer | `package`, `package` | contents |}. */
final class LayerTable {

    private static final Path PAGE = Path.of("..", "docs", "architecture.md");
    private static final Pattern ROW = Pattern.compile("\\| (\\w+) \\| (\\d+) \\| ([^|]+) \\|.*");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private record Layer(String module, int number) {}

    private final Map<String, Layer> layers = new HashMap<>();

    private LayerTable() {}

    static LayerTable read() {
        LayerTable table = new LayerTable();
        try {
            for (String line : Files.readAllLines(PAGE)) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    table.add(row.group(1), Integer.parseInt(row.group(2)), row.group(3));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return table;
    }

    private void add(String module, int number, String packages) {
        Matcher name = NAME.matcher(packages);
        while (name.find()) {
            String root = "dev.postern." + module;
            String full = name.group(1).equals(module) ? root : root + "." + name.group(1);
            Layer previous = layers.put(full, new Layer(module, number));
            if (previous != null) {
                throw new IllegalStateException(PAGE + ": " + full + " is in two rows (expected: one)");
            }
        }
    }

    Set<String> packages() {
        return layers.keySet();
    }

    /** Returns the violation when one package uses another; empty for a permitted use, or for packages of two modules. */
    Optional<String> violation(String from, String target) {
        Layer user = layers.get(from);
        Layer used = layers.get(target);
        if (user == null || used == null || !user.module().equals(used.module()) || used.number() <= user.number()) {
            return Optional.empty();
        }
        return Optional.of(from + " (layer " + user.number() + ") uses " + target + " (layer " + used.number() + ")");
    }
}
