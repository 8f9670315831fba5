package dev.postern.app.config.read;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Checks which other users of this machine can read or write a file. A file that others can write is a problem, as for ssh, because these
 * users could change the decisions of the gateway. A file that others can read or the group can write is a warning. A file that the group
 * can read is permitted: Kubernetes mounts files in this way for processes that are not root.
 */
final class FileModes {

    private final Findings findings;

    FileModes(Findings findings) {
        this.findings = findings;
    }

    /** Checks a secret file, or a folder of secret files. */
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

    /** Checks a file that others may read but not write. */
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

    /** Returns the modes of the file, with links resolved; an empty set if the file system has no POSIX modes. */
    private static Set<PosixFilePermission> modes(Path file) {
        try {
            return Files.getPosixFilePermissions(file);
        } catch (IOException | UnsupportedOperationException e) {
            return Set.of();
        }
    }
}
