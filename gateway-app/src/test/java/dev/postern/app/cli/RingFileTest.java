package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingFileTest {

    private static final String OLD = KeyRing.newLine();

    @TempDir
    private Path folder;

    private Path file;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void ring() throws IOException {
        file = folder.resolve("ring");
        Files.write(file, List.of("# of the site", OLD, "", "# end"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    private int run(String step) {
        return PosternCommand.execute(
                new PrintWriter(out, true), new PrintWriter(err, true), "secret", step, file.toString());
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file);
    }

    private static String fingerprint(String line) {
        return KeyRing.of(List.of(line)).fingerprints().get(0);
    }

    @Test
    void aRotationNeverSignsWithALineThatSomeReplicaLacks() throws IOException {
        assertThat(run("add")).isZero();
        assertThat(lines()).hasSize(5).startsWith("# of the site", OLD, "", "# end");
        String added = lines().get(4);
        assertThat(out.toString())
                .contains(fingerprint(OLD) + "  signs", fingerprint(added) + "  verifies", "postern secret promote");

        assertThat(run("promote")).isZero();
        assertThat(lines()).containsExactly("# of the site", added, OLD, "", "# end");
        assertThat(KeyRing.read(file).fingerprints()).containsExactly(fingerprint(added), fingerprint(OLD));

        assertThat(run("retire")).isZero();
        assertThat(lines()).containsExactly("# of the site", added, "", "# end");
        assertThat(out.toString() + err).doesNotContain(OLD, added);
    }

    @Test
    void keepsThePermissionsAndLeavesNoDraft() throws IOException {
        run("add");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void keepsTheGroupThatMayRead() throws IOException {
        Object group = groupOfAService();
        Files.setAttribute(file, "unix:gid", group);
        run("add");
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(group);
    }

    /** Returns a group that no new file of this user has; for a user without rights there is only the one that it has. */
    private Object groupOfAService() throws IOException {
        boolean root = Files.getAttribute(file, "unix:uid").equals(0);
        return root ? 4711 : Files.getAttribute(file, "unix:gid");
    }

    @Test
    void changesTheFileThatALinkNames() throws IOException {
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, file);
        assertThat(PosternCommand.execute(
                        new PrintWriter(out, true), new PrintWriter(err, true), "secret", "add", link.toString()))
                .isZero();
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(lines()).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"promote", "retire"})
    void aSingleLineStays(String step) throws IOException {
        List<String> before = lines();
        assertThat(run(step)).isEqualTo(2);
        assertThat(err.toString()).contains("1 line (expected: several");
        assertThat(lines()).isEqualTo(before);
    }

    @Test
    void refusesWhatIsNoRing() throws IOException {
        Files.writeString(file, "s3cr3tcanary\n");
        assertThat(run("add")).isEqualTo(2);
        assertThat(err.toString())
                .contains("key ring line 1", "expected: base64 of 32 bytes")
                .doesNotContain("s3cr3t");
        Files.delete(file);
        assertThat(run("add")).isEqualTo(2);
        assertThat(err.toString()).contains("no such file (expected: a ring file that can be read");
        assertThatThrownBy(() -> RingFile.read(file)).isInstanceOf(IOException.class);
    }
}
