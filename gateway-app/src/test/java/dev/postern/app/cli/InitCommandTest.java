package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class InitCommandTest {

    private static final List<String> SITES = List.of(
            "127.0.0.1:9000", "[::1]:9000", "http://shop.internal", "https://shop.internal/", "unix:/run/shop.socket");
    private static final List<String> HOSTS = List.of("shop.example", "localhost", "Shop.Example");
    private static final List<String> ADMISSIONS = List.of(
            "--room 500",
            "--room 0 --issuer issuer.example",
            "--issuer issuer.example",
            "--issuer issuer.example:8443",
            "--issuer localhost:9300",
            "--room 1 --issuer issuer.example");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return PosternCommand.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private Path file() {
        return folder.resolve("gateway.yaml");
    }

    /** Runs the command for the file of this test. */
    private int init(String options) {
        List<String> args = new ArrayList<>(List.of("init", "-o", file().toString()));
        args.addAll(List.of(options.split(" ")));
        return run(args.toArray(String[]::new));
    }

    private static Stream<String> everyAnswer() {
        return SITES.stream()
                .flatMap(site -> HOSTS.stream()
                        .flatMap(host -> Stream.of(false, true)
                                .flatMap(tls -> ADMISSIONS.stream()
                                        .map(admission -> "--upstream " + site + " --host " + host
                                                + (tls ? " TLS " : " ") + admission))));
    }

    @ParameterizedTest
    @MethodSource("everyAnswer")
    void whatItWritesPassesTheCheckWithoutWarnings(String options) throws IOException {
        TestCertificate pair = TestCertificate.ec(folder, "site", "dns:shop.example", "dns:localhost");
        Files.setPosixFilePermissions(pair.key(), PosixFilePermissions.fromString("rw-------"));
        String tls = "--certificate-file " + pair.certificate() + " --private-key-file " + pair.key();
        assertThat(init(options.replace("TLS", tls))).as("%s%s", out, err).isZero();
        assertThat(out.toString()).doesNotContain("warning");

        out.getBuffer().setLength(0);
        assertThat(run("check", "-c", file().toString())).isZero();

        assertThat(out).hasToString("good" + System.lineSeparator());
    }

    @Test
    void explainsWhatItWrites() throws IOException {
        assertThat(init("--upstream https://shop.internal --host shop.example --room 500"))
                .isZero();

        String text = Files.readString(file());
        assertThat(text)
                .contains("endpoints: [\"shop.internal:443\"]", "tls: {}", "active-sessions: 500", "token: off")
                .doesNotContain("privacy-pass", "\r", "\t")
                .endsWith("rate-limit: room\n");
        assertThat(text.lines().filter(line -> line.contains("# "))).hasSizeGreaterThan(4);
        assertThat(out.toString().lines())
                .containsExactly(
                        "written: " + file(),
                        "written: " + folder.resolve("ring"),
                        "next: postern check -c " + file() + " --connect, then postern run -c " + file());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("ring"))))
                .isEqualTo("rw-r-----");
    }

    @Test
    void overwritesNothing() throws IOException {
        Path ring = folder.resolve("ring");
        assertThat(run("secret", "new")).isZero();
        Files.writeString(ring, out.toString());
        Files.setPosixFilePermissions(ring, PosixFilePermissions.fromString("rw-------"));
        String options = "--upstream 127.0.0.1:9000 --host shop.example --room 5";

        assertThat(init(options)).isZero();
        assertThat(ring).hasContent(out.toString().lines().findFirst().orElseThrow());

        String text = Files.readString(file());
        assertThat(init(options.replace('5', '6'))).isEqualTo(1);
        assertThat(file()).hasContent(text);
        assertThat(err.toString()).contains(file() + ": exists (expected: a new file; ");
    }

    @Test
    void leavesNoFileThatHasProblems() {
        TestCertificate pair = TestCertificate.ec(folder, "site", "dns:shop.example");
        TestCertificate other = TestCertificate.ec(folder, "other", "dns:shop.example");

        assertThat(init("--upstream 127.0.0.1:9000 --host shop.example --room 5 --certificate-file "
                        + pair.certificate() + " --private-key-file " + other.key()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("gateway.yaml:", "tls.certificates.0: ", "other.key (expected: ");
        assertThat(file()).doesNotExist();
        assertThat(folder.resolve("ring")).doesNotExist();
    }

    @Test
    void namesAFolderThatIsMissing() {
        assertThat(run(
                        "init",
                        "-o",
                        folder.resolve("none/gateway.yaml").toString(),
                        "--upstream=127.0.0.1:9000",
                        "--host=shop.example",
                        "--room=5"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("none/gateway.yaml (expected: a new file in a folder that can be written)");
    }

    @ParameterizedTest
    @CsvSource({
        "--upstream 127.0.0.1:9000/path, '--upstream: 127.0.0.1:9000/path (expected: the address of the site: '",
        "--upstream shop.internal, '--upstream: shop.internal (expected: the address of the site: '",
        "--host shop.example:8080, '--host: shop.example:8080 (expected: one host name'",
        "--host *.example, '--host: *.example (expected: one host name'",
        "--room many, '--room: many (expected: 0..1000000)'",
        "--room 0, '--room: 0 (expected: a number of people, or --issuer too)'",
        "--issuer https://issuer.example, '--issuer: https://issuer.example (expected: the host name of an issuer'",
        "--certificate-file site.crt, '--private-key-file: nothing (expected: both files, or none)'",
        "--private-key-file site.key, '--certificate-file: nothing (expected: both files, or none)'",
    })
    void saysWhatItExpects(String option, String message) {
        String name = option.substring(0, option.indexOf(' '));
        String good = Stream.of("--upstream 127.0.0.1:9000", "--host shop.example", "--room 5")
                .filter(other -> !other.startsWith(name))
                .reduce(option, (all, other) -> all + " " + other);

        assertThat(init(good)).isEqualTo(2);

        assertThat(err.toString()).contains(message);
        assertThat(folder).isEmptyDirectory();
    }
}
