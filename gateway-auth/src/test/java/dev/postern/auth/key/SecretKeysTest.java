package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.voprf.VoprfP384;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files of secret keys are read, and that faults name the file without its content. */
class SecretKeysTest {

    @TempDir
    Path folder;

    private IssuingKey write(String name) throws IOException {
        IssuingKey key = new VoprfP384().generate();
        Files.writeString(folder.resolve(name), key.secretFile());
        return key;
    }

    @Test
    void readsAFile() throws IOException {
        IssuingKey key = write("one");
        assertThat(SecretKeys.read(List.of(folder.resolve("one"))))
                .extracting(IssuerKey::id)
                .containsExactly(key.published().id());
    }

    @Test
    void readsTheKeysOfAFolderByName() throws IOException {
        IssuingKey second = write("b.key");
        IssuingKey first = write("a.key");
        write("c.old");
        assertThat(SecretKeys.read(List.of(folder)))
                .extracting(IssuerKey::id)
                .containsExactly(first.published().id(), second.published().id());
    }

    @Test
    void readsAKeyThatWasAddedAndKeepsKeysThatCannotBeRead() throws IOException {
        write("a.key");
        SecretKeys keys = new SecretKeys(List.of(folder));
        assertThat(keys.get()).hasSize(1);
        write("b.key");
        assertThat(keys.get()).hasSize(2);
        Files.writeString(folder.resolve("c.key"), "wrong");
        assertThat(keys.get()).hasSize(2);
        Files.delete(folder.resolve("c.key"));
        Files.delete(folder.resolve("b.key"));
        assertThat(keys.get()).hasSize(1);
    }

    @Test
    void faultsNameTheFileAndNotItsContent() throws IOException {
        Path file = folder.resolve("wrong.key");
        Files.writeString(file, "hidden text");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.read(List.of(file)))
                .withMessageStartingWith("private-key-files: " + file + ": of no known form")
                .withMessageNotContaining("hidden");
        Files.writeString(file, "voprf-p384:AAAA");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.read(List.of(file)))
                .withMessageStartingWith("private-key-files: " + file + ": ")
                .withMessageNotContaining("AAAA");
        Files.writeString(file, "x".repeat(4097));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.read(List.of(file)))
                .withMessage("private-key-files: " + file + ": 4097 bytes (expected: 4096 at most)");
        Path missing = folder.resolve("missing");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> SecretKeys.read(List.of(missing)))
                .withMessage("private-key-files: " + missing + " (expected: a file that can be read)");
    }
}
