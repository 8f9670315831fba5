package dev.postern.app.context;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel tells in files; tests have some of their own. */
public final class ProcFiles {

    private final Path root;

    /** @param root usually {@code /proc} */
    public ProcFiles(Path root) {
        this.root = root;
    }

    /** The file's text without white space around it; empty where it can't be read. */
    String text(String file) {
        try {
            return Files.readString(root.resolve(file), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** What white space parts in it. */
    List<String> words(String file) {
        String text = text(file);
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
    }
}
