package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOutputTest {

    @TempDir
    private Path folder;

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void appendsToTheFileThatExists() throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "before\n");
        try (FileOutput output = new FileOutput(file, 100, 2)) {
            output.write(List.of("a", "b"));
        }

        assertThat(text("log")).isEqualTo("before\na\nb\n");
    }

    @Test
    void renamesAFullFileAndDeletesTheOldest() throws IOException {
        try (FileOutput output = new FileOutput(folder.resolve("log"), 4, 2)) {
            for (String line : List.of("a", "b", "c", "d", "e", "f", "g")) {
                output.write(List.of(line));
            }
        }

        assertThat(files()).containsExactly("log", "log.1", "log.2");
        assertThat(text("log.2")).isEqualTo("c\nd\n");
        assertThat(text("log.1")).isEqualTo("e\nf\n");
        assertThat(text("log")).isEqualTo("g\n");
    }

    /** What was in the file at start counts. */
    @Test
    void knowsTheSizeOfTheFileThatExists() throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "before\n");
        try (FileOutput output = new FileOutput(file, 8, 1)) {
            output.write(List.of("a"));
        }

        assertThat(text("log.1")).isEqualTo("before\n");
        assertThat(text("log")).isEqualTo("a\n");
    }

    /** As logrotate does. */
    @Test
    void beginsANewFileWhenAnotherProgramMovedIt() throws IOException {
        Path file = folder.resolve("log");
        try (FileOutput output = new FileOutput(file, 100, 2)) {
            output.write(List.of("a"));
            Files.move(file, folder.resolve("old"));
            output.write(List.of("b"));
            Files.delete(file);
            output.write(List.of("c"));
        }

        assertThat(text("old")).isEqualTo("a\n");
        assertThat(text("log")).isEqualTo("c\n");
    }

    @Test
    void triesAgainOnceTheFolderExists() throws IOException {
        Path file = folder.resolve("later/log");
        try (FileOutput output = new FileOutput(file, 100, 2)) {
            assertThatThrownBy(() -> output.write(List.of("lost")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("later/log");
            Files.createDirectory(file.getParent());
            output.write(List.of("a"));
        }

        assertThat(text("later/log")).isEqualTo("a\n");
    }

    /** A folder in place of the next file can't be replaced. */
    @Test
    void doesNotGrowWhereRenamingFails() throws IOException {
        Files.createDirectories(folder.resolve("log.1/full"));
        try (FileOutput output = new FileOutput(folder.resolve("log"), 4, 1)) {
            output.write(List.of("a"));
            output.write(List.of("b"));
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> output.write(List.of("lost"))).isInstanceOf(IOException.class);
            }
        }

        assertThat(text("log")).isEqualTo("a\nb\n");
    }

    /** /dev/full of Linux refuses every write. */
    @Test
    void reportsAFullDisk() throws IOException {
        try (FileOutput output = new FileOutput(Path.of("/dev/full"), 100, 1)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> output.write(List.of("lost")))
                        .isInstanceOf(IOException.class)
                        .hasMessage("No space left on device");
            }
        }
    }
}
