package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with which flags the file {@code postern} starts a JVM, by a program that takes the place of {@code java}. */
class LauncherTest {

    private static final String TRIM = "-XX:TrimNativeHeapInterval=60000";

    @TempDir
    private Path folder;

    private String flags(String release) throws IOException, InterruptedException {
        Path launcher = folder.resolve("postern");
        Files.copy(Path.of("../postern"), launcher);
        Files.createDirectories(folder.resolve("gateway-app/target/app"));
        Files.createFile(folder.resolve("gateway-app/target/app/.built"));
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" = -version ] && echo 'openjdk version "RELEASE" 2026-01-01' >&2 || echo "$@"
                """.replace("RELEASE", release));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder builder = new ProcessBuilder("sh", launcher.toString(), "check").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.toString());
        builder.environment().put("POSTERN_AOT_CACHE", "off");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** The releases are those of JDK-8325496; a JVM that does not know a flag ends. */
    @ParameterizedTest
    @ValueSource(strings = {"17.0.12", "17.0.20.1", "21.0.4", "21.0.10", "23", "23-ea", "25.0.3", "30"})
    void returnsFreedMemoryWithAJvmThatCan(String release) throws Exception {
        assertThat(flags(release)).contains(TRIM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "17.0.1", "17.0.2", "17.0.11", "20.0.2", "21", "21.0.3", "22.0.2"})
    void startsAJvmThatKnowsNoSuchFlag(String release) throws Exception {
        assertThat(flags(release)).contains("-XX:+ExitOnOutOfMemoryError").doesNotContain(TRIM);
    }

    @Test
    void permitsNativeLibrariesWhereTheJvmWarns() throws Exception {
        assertThat(flags("24")).contains("--enable-native-access=ALL-UNNAMED");
    }
}
