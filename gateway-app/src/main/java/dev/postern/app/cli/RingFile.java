package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * File with a key ring, which is rotated in steps: a line is added, promoted, and another one retired. Comments and empty lines stay where they
 * are. Each change replaces the file atomically, with the same owner, group and permissions. Throws {@link IllegalArgumentException} for a file that is no ring.
 */
final class RingFile {

    private final Path file;
    private final List<String> lines;

    private RingFile(Path file, List<String> lines) {
        this.file = file;
        this.lines = new ArrayList<>(lines);
        KeyRing.of(lines); // only a valid ring is changed
    }

    static RingFile read(Path file) throws IOException {
        return new RingFile(file, Files.readAllLines(file));
    }

    /** Appends a new line, which verifies only. */
    void add() {
        lines.add(KeyRing.newLine());
    }

    /** Moves the last line before the first, so that it signs. */
    void promote() {
        expectSeveral("postern secret add first");
        lines.add(first(), lines.remove(last()));
    }

    /** Removes the last line. */
    void retire() {
        expectSeveral("one line must remain");
        lines.remove(last());
    }

    private void expectSeveral(String expected) {
        if (first() == last()) {
            throw new IllegalArgumentException(file + ": 1 line (expected: several; " + expected + ")");
        }
    }

    private int first() {
        int index = 0;
        while (!isSecret(lines.get(index))) {
            index++;
        }
        return index;
    }

    private int last() {
        int index = lines.size() - 1;
        while (!isSecret(lines.get(index))) {
            index--;
        }
        return index;
    }

    private static boolean isSecret(String line) {
        return !line.isBlank() && !line.strip().startsWith("#");
    }

    /** Returns the fingerprints of the lines, that of the signing one first. */
    List<String> fingerprints() {
        return KeyRing.of(lines).fingerprints();
    }

    void write() throws IOException {
        Path target = file.toRealPath(); // a link to the file stays
        PosixFileAttributes before = Files.readAttributes(target, PosixFileAttributes.class);
        Path draft = Files.createTempFile(
                target.getParent(),
                "ring",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(draft, lines, UTF_8);
            keepReaders(draft, before);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** A service that may read the file by its group must be able to read what root puts in its place. */
    private static void keepReaders(Path draft, PosixFileAttributes before) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        PosixFileAttributes made = view.readAttributes();
        if (!made.group().equals(before.group())) {
            view.setGroup(before.group());
        }
        if (!made.owner().equals(before.owner())) {
            view.setOwner(before.owner());
        }
        view.setPermissions(before.permissions());
    }
}
