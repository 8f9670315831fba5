package dev.postern.auth.spend.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files that this process has open, from the proc file system of Linux. */
final class OpenFiles {

    private OpenFiles() {}

    /** Returns the names of the open files of a folder; a file that was deleted meanwhile has a remark behind its name. */
    static List<String> of(Path folder) throws IOException {
        String start = folder.toRealPath() + "/";
        List<String> found = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : descriptors.toList()) {
                String target = target(each);
                if (target.startsWith(start)) {
                    found.add(target.substring(start.length()));
                }
            }
        }
        return found;
    }

    /** Returns the target of a descriptor; empty if it was closed meanwhile. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
