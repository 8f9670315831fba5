package dev.postern.load.oldnew;

import dev.postern.load.measure.Command;
import java.nio.file.Path;

/**
 * Commit of this project; the working directory is the project's root.
 *
 * @param hash abbreviated
 */
record Commit(String hash) {
    /**
     * Returns the commit that a name such as a hash or a tag stands for.
     *
     * @throws IllegalArgumentException if no commit has the name
     */
    static Commit of(String name) {
        try {
            String known =
                    Command.output("git rev-parse --verify --quiet --short --end-of-options", name + "^{commit}");
            return new Commit(known.strip());
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(name + " (expected: a commit of this project)", e);
        }
    }

    /** Returns the current commit, with a remark if the working tree has changes. */
    static String current() {
        String changes = Command.output("git status --porcelain --untracked-files=no");
        return of("HEAD").hash + (changes.isBlank() ? "" : " with changes");
    }

    /** Writes the files of the commit into an empty folder. */
    void writeTo(Path folder) {
        Path archive = folder.resolve("commit.tar");
        Command.output("git archive --format=tar", "--output=" + archive, hash);
        Command.output("tar -xf", archive, "-C", folder);
    }
}
