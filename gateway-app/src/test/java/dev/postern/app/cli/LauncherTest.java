package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
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
        return run(launcher, release, Map.of("POSTERN_AOT_CACHE", "off"));
    }

    /** Starts an installed release. */
    private String installed(String release, Map<String, String> environment) throws IOException, InterruptedException {
        Path launcher = Files.createDirectories(folder.resolve("bin")).resolve("postern");
        Files.copy(Path.of("../postern"), launcher);
        Files.createFile(Files.createDirectories(folder.resolve("app/cache")).resolveSibling("postern.jar"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("bin/postern"));
        return run(link, release, environment);
    }

    private String run(Path launcher, String release, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" = -version ] && echo 'openjdk version "RELEASE" 2026-01-01' >&2 || echo "$@"
                for argument; do case $argument in -XX:AOTCacheOutput=*) echo recorded >"${argument#*=}" ;; esac; done
                """.replace("RELEASE", release));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", "-c", "umask 077 && exec sh \"$0\" check", launcher.toString())
                .redirectErrorStream(true);
        builder.environment().remove("HOME"); // as for the scripts of packages
        builder.environment().put("JAVA_HOME", folder.toString());
        builder.environment().putAll(environment);
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

    @Test
    void startsAnInstalledReleaseWithTheFlagsOfTheImage() throws Exception {
        String flags = installed("25.0.1", Map.of("POSTERN_AOT_CACHE", "off", "POSTERN_JAVA_OPTS", "-Xmx1g"));

        Path app = folder.toRealPath().resolve("app");
        assertThat(flags)
                .startsWith("@" + app + "/jvm.args ")
                .endsWith(" -Xmx1g -cp " + app + "/lib/*:" + app + "/postern.jar dev.postern.app.cli.Main check\n")
                .doesNotContain("IgnoreUnrecognizedVMOptions");
    }

    @Test
    void leavesOutTheFlagsThatAnOlderJvmDoesNotKnow() throws Exception {
        assertThat(installed("17.0.2", Map.of())).contains("-XX:+IgnoreUnrecognizedVMOptions");
    }

    @Test
    void recordsTheCacheOfAnInstalledReleaseOnceForEachJdk() throws Exception {
        String first = installed("25.0.1", Map.of());
        Path cache = folder.toRealPath().resolve("app/cache/postern-25.0.1.aot");
        String second = run(folder.resolve("link"), "25.0.1", Map.of());

        assertThat(cache).hasContent("recorded");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
                .isEqualTo("rw-r--r--");
        assertThat(first).contains("recording the AOT cache", "-XX:AOTCache=" + cache);
        assertThat(second).doesNotContain("recording").contains("-XX:AOTCache=" + cache);
        assertThat(run(folder.resolve("link"), "25.0.2", Map.of())).contains("recording the AOT cache");
    }
}
