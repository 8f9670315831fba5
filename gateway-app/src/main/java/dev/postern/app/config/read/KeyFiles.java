package dev.postern.app.config.read;

import dev.postern.core.config.FileKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Files that keys name: their names are resolved here, and each is checked by the {@link FileKind} of its key. */
final class KeyFiles {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Begin of a value that names a file, where others do not. */
    private static final String MARK = "@";

    private final Path base;
    private final Findings findings;
    private final FileModes modes;
    private final Map<String, Named> named = new HashMap<>();

    /** @param base the directory that relative file names start from */
    KeyFiles(Path base, Findings findings) {
        this.base = base;
        this.findings = findings;
        this.modes = new FileModes(findings);
    }

    /**
     * File that a key names.
     *
     * @param text its name, as the operator wrote it
     */
    record Named(String text, Path file) {}

    /** Returns a copy of a tree with resolved names of files; impossible names stay. */
    JsonNode resolved(ConfigSchema root, JsonNode whole) {
        return resolved(root, whole, FileKind.NONE);
    }

    private JsonNode resolved(ConfigSchema schema, JsonNode node, FileKind kind) {
        if (node.isNull()) {
            return node;
        }
        return switch (schema.kind()) {
            case RECORD -> {
                ObjectNode copy = NODES.objectNode();
                schema.fields()
                        .forEach(field -> copy.set(
                                field.key(),
                                resolved(
                                        field.schema(),
                                        node.path(field.key()),
                                        field.about().file())));
                yield copy;
            }
            case LIST -> {
                ArrayNode copy = NODES.arrayNode();
                node.forEach(element -> copy.add(resolved(schema.element(), element, kind)));
                yield copy;
            }
            case MAP -> {
                ObjectNode copy = NODES.objectNode();
                node.properties()
                        .forEach(entry -> copy.set(entry.getKey(), resolved(schema.element(), entry.getValue(), kind)));
                yield copy;
            }
            case LEAF -> leaf(node, kind);
        };
    }

    private JsonNode leaf(JsonNode node, FileKind kind) {
        String text = node.asString();
        boolean marked = kind == FileKind.AT && text.startsWith(MARK);
        if (kind == FileKind.NONE || kind == FileKind.AT && !marked) {
            return node;
        }
        Path file = resolved(marked ? text.substring(MARK.length()) : text);
        return file == null ? node : NODES.stringNode(marked ? MARK + file : file.toString());
    }

    /** Checks the files that a tree names. */
    KeyFiles check(ConfigSchema root, JsonNode whole) {
        visit(root, whole, "", FileKind.NONE);
        return this;
    }

    /** Returns the file that the key at that path names; null for none, and for one that its kind does not permit. */
    @Nullable
    Named named(String path) {
        return named.get(path);
    }

    private void visit(ConfigSchema schema, JsonNode node, String path, FileKind kind) {
        if (node.isNull()) {
            return;
        }
        switch (schema.kind()) {
            case RECORD -> {
                for (ConfigSchema.Field field : schema.fields()) {
                    String below = ConfigNode.child(path, field.key());
                    visit(
                            field.schema(),
                            node.path(field.key()),
                            below,
                            field.about().file());
                }
            }
            case LIST -> {
                for (int i = 0; i < node.size(); i++) {
                    visit(schema.element(), node.path(i), ConfigNode.child(path, Integer.toString(i)), kind);
                }
            }
            case MAP ->
                node.properties()
                        .forEach(entry -> visit(
                                schema.element(), entry.getValue(), ConfigNode.child(path, entry.getKey()), kind));
            case LEAF -> check(kind, path, node.asString());
        }
    }

    private void check(FileKind kind, String path, String text) {
        switch (kind) {
            case NONE -> {}
            case READABLE -> readable(path, text);
            case AT -> {
                if (text.startsWith(MARK)) {
                    readable(path, text.substring(MARK.length()));
                }
            }
            case SECRET -> secret(path, text);
            case FOLDER -> folder(path, text);
            case PATH -> path(path, text);
        }
    }

    private void readable(String path, String text) {
        Path file = resolved(text);
        if (file != null && Files.isReadable(file) && !Files.isDirectory(file)) {
            named.put(path, new Named(text, file));
        } else {
            findings.problem(path, ShownText.line(text) + " (expected: a file that can be read)");
        }
    }

    private void secret(String path, String text) {
        readable(path, text);
        Named file = named.get(path);
        try {
            if (file != null) {
                modes.secret(path, file.file());
            }
        } catch (IOException e) {
            findings.problem(path, text + " (expected: a file that can be read)");
        }
    }

    private void folder(String path, String text) {
        Path folder = resolved(text);
        if (folder == null) {
            findings.problem(path, ShownText.line(text) + " (expected: the name of a folder)");
            return;
        }
        Path present = folder.toAbsolutePath();
        while (present != null && !Files.exists(present)) {
            present = present.getParent();
        }
        if (present != null && !(Files.isDirectory(present) && Files.isWritable(present))) {
            findings.problem(path, text + " (expected: a folder that can be written, or made)");
        }
    }

    private void path(String path, String text) {
        Path file = resolved(text);
        if (file == null) {
            findings.problem(path, ShownText.line(text) + " (expected: the name of a file)");
        } else {
            named.put(path, new Named(text, file));
        }
    }

    /** Resolves a file name; returns null for an impossible name. */
    private @Nullable Path resolved(String text) {
        try {
            return base.resolve(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
