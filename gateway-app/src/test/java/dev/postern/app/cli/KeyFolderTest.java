package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.key.SecretKeys;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFolderTest {

    @TempDir
    private Path directory;

    @Test
    void writesOneFileForItsOwnerOnly() throws IOException {
        IssuingKey key = generate(1);
        Path folder = directory.resolve("a/keys");

        new IssuerCommand.KeyFolder(folder).write(key);

        Path file = folder.resolve(key.published().id() + ".key");
        assertThat(files(folder)).containsExactly(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(SecretKeys.read(List.of(folder)))
                .extracting(k -> k.id().toString())
                .containsExactly(key.published().id().toString());
    }

    @Test
    void writesNothingForPubliclyVerifiableTypes() {
        new IssuerCommand.KeyFolder(directory.resolve("keys")).write(generate(2));

        assertThat(directory.resolve("keys")).doesNotExist();
    }

    @Test
    void namesAFolderThatIsNotWritable() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> new IssuerCommand.KeyFolder(file).write(generate(1)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("--private-keys: " + file);
    }

    private static IssuingKey generate(int type) {
        return TokenScheme.of(Objects.requireNonNull(TokenType.of(type)), Issuance.class)
                .generate();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }
}
