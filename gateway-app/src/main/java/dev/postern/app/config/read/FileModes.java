package dev.postern.app.config.read;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Checks the access of other users to a file. Write access for others is a problem, as in ssh, because any user could then change the
 * configuration of the gateway. Read access for others and write access for the group are warnings. Read access for the group is allowed:
 * Kubernetes passes files in this way to a process that is not root.
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

    /** Checks a file that other users may read but not change. */
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

    /** Returns the modes of the file, following links; an empty set if the file system has no such modes. */
    private static Set<PosixFilePermission> modes(Path file) {
        try {
            return Files.getPosixFilePermissions(file);
        } catch (IOException | UnsupportedOperationException e) {
            return Set.of();
        }
    }
}
