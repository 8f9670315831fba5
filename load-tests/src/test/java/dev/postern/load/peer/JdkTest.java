package dev.postern.load.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
    @TempDir
    Path folder;

    @Test
    void takesTheFirstOfEachSupportedLine() throws IOException {
        Path running = jdk("running", "17.0.15");
        Path again = jdk("again", "17.0.2");
        Path other = jdk("other", "21.0.1");
        Path newest = jdk("newest", "25");

        assertThat(Jdk.ofEachLine(List.of(running, again, other, newest)))
                .containsExactly(new Jdk(17, running), new Jdk(25, newest));
    }

    @Test
    void includesTheRunningJdkOfAnyLine() throws IOException {
        Path running = jdk("running", "21.0.1");
        Path supported = jdk("supported", "17.0.15");

        assertThat(Jdk.ofEachLine(List.of(running, supported)))
                .containsExactly(new Jdk(21, running), new Jdk(17, supported));
    }

    @Test
    void ignoresFoldersWithoutTheProgram() throws IOException {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Files.writeString(sources.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");

        assertThat(Jdk.ofEachLine(List.of(sources, folder.resolve("nowhere")))).isEmpty();
    }

    @Test
    void findsTheRunningJdk() {
        assertThat(Jdk.found().get(0).major()).isEqualTo(Runtime.version().feature());
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.createFile(java);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }
}
