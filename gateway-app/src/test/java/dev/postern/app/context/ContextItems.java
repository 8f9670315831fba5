package dev.postern.app.context;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds items of sources, and writes files that replace those of the kernel. */
final class ContextItems {

    private ContextItems() {}

    static ContextItem item(ContextSource source, String name) {
        return item(source.items(), name);
    }

    static ContextItem item(List<ContextItem> items, String name) {
        return items.stream()
                .filter(item -> item.item().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " (expected: one of "
                        + items.stream().map(ContextItem::item).toList() + ")"));
    }

    static void write(Path root, String file, String text) {
        try {
            Path path = root.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
