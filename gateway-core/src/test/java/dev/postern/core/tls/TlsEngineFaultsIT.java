package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the choice of the TLS engine in processes whose native library is missing, broken or can't be loaded. */
class TlsEngineFaultsIT {

    private static final String NATIVE_JAR = "netty-tcnative-boringssl-static";
    private static final String ARCHITECTURE = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
    private static final String OTHER_ARCHITECTURE = ARCHITECTURE.equals("x86_64") ? "aarch_64" : "x86_64";

    @TempDir
    private Path folder;

    /** Prints the engine that {@code auto} takes, and how the start with {@code boringssl} ends. */
    static final class Choice {

        private Choice() {}

        public static void main(String[] none) {
            TlsEngine chosen = TlsEngine.open(TlsEngine.Kind.AUTO);
            System.out.println("auto: " + chosen.name() + ": " + chosen.why());
            try {
                System.out.println(
                        "boringssl: " + TlsEngine.open(TlsEngine.Kind.BORINGSSL).name());
            } catch (IllegalStateException e) {
                System.out.println("boringssl: " + e.getMessage());
            }
        }
    }

    private static String classPath(String first, boolean withLibrary) {
        String all = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> withLibrary || !entry.contains(NATIVE_JAR))
                .collect(joining(File.pathSeparator));
        return first.isEmpty() ? all : first + File.pathSeparator + all;
    }

    private static List<String> java(String classPath, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, Choice.class.getName()));
        return command;
    }

    private String output(List<String> command) throws Exception {
        Path out = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return Files.readString(out);
    }

    private static void assertFallback(String output, String reason) {
        assertThat(output)
                .containsPattern("(?m)^auto: JDK: .*" + reason)
                .containsPattern("(?m)^boringssl: transport\\.tls-engine: boringssl \\(expected: .*" + reason
                        + ".*-Dio\\.netty\\.native\\.workdir=DIR.*tls-engine: auto\\)");
    }

    /** Writes a library of that content where the loader finds the one of this platform. */
    private String library(byte[] content) throws IOException {
        Path file = folder.resolve("classes/META-INF/native/libnetty_tcnative_linux_" + ARCHITECTURE + ".so");
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        return folder.resolve("classes").toString();
    }

    @Test
    void takesTheLibraryThatLoads() throws Exception {
        assertThat(output(java(classPath("", true))))
                .contains("auto: BoringSSL: the native library loads and passes its self-test")
                .contains("boringssl: BoringSSL");
    }

    @Test
    void fallsBackWithoutTheLibrary() throws Exception {
        assertFallback(output(java(classPath("", false))), "does not load: .*netty_tcnative");
    }

    @Test
    void fallsBackWhenTheLibraryIsCorrupt() throws Exception {
        String first = library("no library".getBytes(UTF_8));
        assertFallback(output(java(classPath(first, false))), "does not load: ");
    }

    @Test
    void fallsBackWhenTheLibraryIsForAnotherArchitecture() throws Exception {
        String name = "META-INF/native/libnetty_tcnative_linux_" + OTHER_ARCHITECTURE + ".so";
        try (InputStream other = TlsEngine.class.getClassLoader().getResourceAsStream(name)) {
            assertThat(other).as(name).isNotNull();
            assertFallback(output(java(classPath(library(other.readAllBytes()), false))), "does not load: ");
        }
    }

    /** The library loads and has none of the methods, as one of another version may lack some. */
    @Test
    void fallsBackWhenTheLibraryIsOfAnotherVersion() throws Exception {
        Path source = folder.resolve("empty.c");
        Path object = folder.resolve("empty.so");
        Files.writeString(source, "int JNI_OnLoad(void *vm, void *reserved) { return 0x00010006; }\n");
        output(List.of("gcc", "-shared", "-fPIC", "-o", object.toString(), source.toString()));
        assertFallback(output(java(classPath(library(Files.readAllBytes(object)), false))), "native library");
    }

    @Test
    void fallsBackWhenNoFolderForTheLibraryCanBeWritten() throws Exception {
        String output = output(java(classPath("", true), "-Dio.netty.native.workdir=/proc/postern"));
        assertFallback(output, "does not load: ");
    }

    @Test
    void fallsBackWhenTheFolderForTheLibraryIsNotExecutable() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("noexec"));
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o noexec none \"$0\" && exec \"$@\""));
        command.add(mount.toString());
        command.addAll(java(classPath("", true), "-Dio.netty.native.workdir=" + mount));
        assertFallback(output(command), "does not load: ");
    }

    /** The library loads, and a handshake fails: here because the JDK lacks what checks certificates. */
    @Test
    void fallsBackWhenTheSelfTestFails() throws Exception {
        Path security = folder.resolve("security.properties");
        Files.writeString(security, "ssl.TrustManagerFactory.algorithm=none\n");
        String output = output(java(classPath("", true), "-Djava.security.properties=" + security));
        assertFallback(output, "fails its self-test: .*none");
    }
}
