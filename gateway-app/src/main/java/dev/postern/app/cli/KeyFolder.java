package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.issue.IssuingKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Where an issuer leaves secret keys for its gateways: whole files or none, for their owner's eyes only. */
final class KeyFolder {

    private final Path folder;

    KeyFolder(Path folder) {
        this.folder = folder;
    }

    /** Writes the key as {@code <key id>.key}; nothing for a type that needs no secret to check tokens. */
    void write(IssuingKey key) {
        if (key.secretFile().isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(folder);
            // Made by its owner, for its owner; another name first, so that no gateway reads half a key.
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
