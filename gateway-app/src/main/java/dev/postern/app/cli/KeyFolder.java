package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.issue.IssuingKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Folder in which an issuer writes secret keys for gateways. Each file is written atomically and is readable only by its owner. */
final class KeyFolder {

    private final Path folder;

    KeyFolder(Path folder) {
        this.folder = folder;
    }

    /** Writes the key as {@code <key id>.key}. Writes nothing for a token type that is verified with the public key. */
    void write(IssuingKey key) {
        if (key.secretFile().isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(folder);
            // Created with owner permissions only, under a temporary name, so that no gateway reads a partial key.
            Path draft = Files.createTempFile(
                    folder,
                    "new",
                    ".tmp",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(draft, key.secretFile().getBytes(US_ASCII));
            Files.move(draft, folder.resolve(key.published().id() + ".key"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "--private-keys: " + folder + " (expected: a folder that can be written)", e);
        }
    }
}
