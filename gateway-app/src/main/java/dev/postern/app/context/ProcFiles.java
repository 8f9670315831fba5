package dev.postern.app.context;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files in which the kernel reports state; tests provide their own folder. */
final class ProcFiles {

    static final Pattern BLANKS = Pattern.compile("\\s+");

    private static final int PAGE = 4096;

    private final Path root;

    /** @param root usually {@code /proc} */
    ProcFiles(Path root) {
        this.root = root;
    }

    /** Returns the file's text without surrounding white space; empty if it can't be read. */
    String text(String file) {
        // Some files, such as port ranges, return all content at the first read or none at all. Files.readString reads
        // one byte first.
        byte[] buffer = new byte[PAGE];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (InputStream in = Files.newInputStream(root.resolve(file))) {
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                all.write(buffer, 0, read);
            }
        } catch (IOException e) {
            return "";
        }
        return all.toString(StandardCharsets.ISO_8859_1).strip();
    }

    /** Returns the words of the file, separated by white space. */
    List<String> words(String file) {
        String text = text(file);
        return text.isEmpty() ? List.of() : List.of(BLANKS.split(text));
    }

    /** Returns the names in the folder; an empty list if it can't be read. */
    List<String> names(String folder) {
        try (Stream<Path> all = Files.list(root.resolve(folder))) {
            return all.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
