package dev.postern.app.config.read;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Looks who else on this machine can read or change a file. Where others can write, any of them decides what passes: a problem, as it is to ssh.
 * Where others can read, or the group can write, it is a warning. That the group can read is how Kubernetes hands a file to a process that is
 * not root, and all right.
 */
final class FileModes {

    private final Findings findings;

    FileModes(Findings findings) {
        this.findings = findings;
    }

    /** A file that nobody else may know, or a folder of such files. */
    void secret(String path, Path file) throws IOException {
        Set<PosixFilePermission> modes = modes(file);
        boolean notified = writable(path, file, modes);
        if (Files.isDirectory(file)) {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(file, "*.key")) {
                for (Path one : inside) {
                    secret(path, one);
                }
            }
        } else if (!notified && modes.contains(PosixFilePermission.OTHERS_READ)) {
            findings.warning(path, shown(file, modes) + ": every user of this machine can read it; chmod o-r");
        }
    }

    /** A file that others may know, but not change. */
    void trusted(String path, Path file) {
        writable(path, file, modes(file));
    }

    private boolean writable(String path, Path file, Set<PosixFilePermission> modes) {
        if (modes.contains(PosixFilePermission.OTHERS_WRITE)) {
            findings.problem(path, shown(file, modes) + " (expected: a file that other users can't write; chmod o-w)");
            return true;
        }
        if (modes.contains(PosixFilePermission.GROUP_WRITE)) {
            findings.warning(path, shown(file, modes) + ": every user of its group can write it; chmod g-w");
            return true;
        }
        return false;
    }

    private static String shown(Path file, Set<PosixFilePermission> modes) {
        return file + ", " + PosixFilePermissions.toString(modes);
    }

    /** Of the file itself where a link leads to it; none where there are no such modes. */
    private static Set<PosixFilePermission> modes(Path file) {
        try {
            return Files.getPosixFilePermissions(file);
        } catch (IOException | UnsupportedOperationException e) {
            return Set.of();
        }
    }
}
