package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests references to variables and files in values: their replacement, their faults, and that their values are not shown. */
class SubstitutionTest {

    private static final String SITE = """
        listeners: [{name: web, address: "127.0.0.1:8080"}]
        upstreams: [{name: app, endpoints: ["127.0.0.1:9000"]}]
        """;

    private static final String ROUTES = "routes: [{upstream: app, token: off}]\n";
    private static final String SECRET = "hunter2-and-more";

    @TempDir
    private Path folder;

    @BeforeEach
    void file() throws IOException {
        Files.writeString(folder.resolve("value"), "from-file\n");
        mode("value", "rw-r--r--");
    }

    private void mode(String file, String mode) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(file), PosixFilePermissions.fromString(mode));
    }

    private LoadedConfig read(Map<String, String> environment, String text, String... flags) {
        return new ConfigReader(environment, List.of(flags)).read("g.yaml", text, folder);
    }

    private GatewayConfig good(Map<String, String> environment, String text, String... flags) {
        LoadedConfig loaded = read(environment, text, flags);
        assertThat(loaded.problems()).isEmpty();
        return loaded.config();
    }

    private static List<String> lines(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "${X} ~ x",
                "a${X}b${X} ~ axbx",
                "${file:value} ~ from-file",
                "$${X} ~ ${X}",
                "a$${X}${X} ~ a${X}x",
                "${Y} ~ ${X}",
                "${E}a ~ a",
                "$X ~ $X",
                "$ {X} ~ $ {X}",
            })
    void replacesReferencesInTexts(String written, String expected) {
        Map<String, String> environment = Map.of("X", "x", "Y", "${X}", "E", "");

        assertThat(value(environment, written)).isEqualTo(expected);
    }

    /** Returns a value as the gateway has it: the name of a file, which may contain any character. */
    private String value(Map<String, String> environment, String written) {
        String folderKey = "extensions: {folder: \"" + written + "\"}\n";
        LoadedConfig loaded = read(environment, SITE + ROUTES + folderKey);
        return Path.of(String.valueOf(loaded.config().extensions().folder()))
                .getFileName()
                .toString();
    }

    @Test
    void replacesReferencesInValuesOfEveryTypeAndSource() {
        Map<String, String> environment = Map.of(
                "PORT",
                "8443",
                "DEPTH",
                "3",
                "SHARE",
                "5%",
                "SWITCH",
                "false",
                "POSTERN_LIMITS_MAX_FIELDS",
                "${FIELDS}",
                "FIELDS",
                "77");

        GatewayConfig config = good(
                environment,
                SITE.replace("127.0.0.1:8080", "127.0.0.1:${PORT}")
                        + ROUTES
                        + "limits: {pipeline-depth: \"${DEPTH}\"}\nlog: {successes: \"${SHARE}\"}\n"
                        + "transport: {tcp-no-delay: \"${SWITCH}\"}\n",
                "instance.namespace=${file:value}");

        assertThat(config.listeners().get(0).address()).hasToString("127.0.0.1:8443");
        assertThat(config.limits().pipelineDepth()).isEqualTo(3);
        assertThat(config.limits().maxFields()).isEqualTo(77);
        assertThat(config.log().successes()).hasToString("5%");
        assertThat(config.transport().tcpNoDelay()).isFalse();
        assertThat(config.instance().namespace()).isEqualTo("from-file");
    }

    @Test
    void whatComesFromOutsideIsNoYaml() {
        LoadedConfig loaded =
                read(Map.of("LIST", "[a, b]"), SITE + ROUTES + "privacy-pass: {origin-names: \"${LIST}\"}\n");

        assertThat(lines(loaded.problems()))
                .containsExactly(
                        "g.yaml:4:30: privacy-pass.origin-names: ${LIST} (expected: a list such as [${LIST}])");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "${NOT_SET} ~ ${NOT_SET}: not set (expected: a variable of the environment, or $${ for the characters"
                        + " themselves)",
                "${X:-a} ~ ${X:-a}: not set (expected: ${X}, without a default, or $${ for the characters themselves)",
                "${remote_addr} ~ ${remote_addr}: not set (expected: a variable of the environment, or a value of the"
                        + " request: $remote_addr stands for itself; for its value, write {client-address}, or $${ for the"
                        + " characters themselves)",
                "${} ~ ${\"\"}: not set (expected: ${NAME}, ${file:NAME}, or $${ for the characters themselves)",
                "a${X ~ ${ without } (expected: ${NAME}, ${file:NAME}, or $${ for the characters themselves)",
                "${file:nowhere} ~ ${file:nowhere} (expected: a file that can be read)",
                "${file:.} ~ ${file:.} (expected: a file that can be read)",
                "${file:latin} ~ ${file:latin} (expected: text in UTF-8)",
                "${file:large} ~ ${file:large} (expected: a file of up to 65536 characters)",
            })
    void reportsFaultyReferencesWithTheirPlace(String written, String expected) throws IOException {
        Files.write(folder.resolve("latin"), new byte[] {(byte) 0xe4});
        Files.writeString(folder.resolve("large"), "a".repeat(65_537));
        String quoted = "'" + written + "'";

        assertThat(lines(read(Map.of("X", "x"), SITE + ROUTES + "instance: {namespace: " + quoted + "}\n")
                        .problems()))
                .containsExactly("g.yaml:4:23: instance.namespace: " + expected);
    }

    @Test
    void aFaultyReferenceCausesNoOtherProblem() {
        String text = SITE.replace("name: app", "name: \"${NOT_SET}\"") + ROUTES;

        assertThat(lines(read(Map.of(), text).problems()))
                .first()
                .asString()
                .startsWith("g.yaml:2:20: upstreams.0.name: ${NOT_SET}: not set");
        assertThat(read(Map.of(), SITE + ROUTES + "rate-limits: [{name: a, rate: \"${NOT_SET}\"}]\n")
                        .problems())
                .hasSize(1);
        assertThat(read(Map.of(), SITE.replace("127.0.0.1:9000", "${NOT_SET}") + ROUTES)
                        .problems())
                .hasSize(1);
    }

    @Test
    void refusesAFileThatOthersCanWrite() throws IOException {
        mode("value", "rw-rw-rw-");

        assertThat(lines(read(Map.of(), SITE + ROUTES + "instance: {namespace: \"${file:value}\"}\n")
                        .problems()))
                .singleElement()
                .asString()
                .startsWith("g.yaml:4:23: instance.namespace: ")
                .contains("chmod o-w");
    }

    @Test
    void aVariableThatAValueRefersToIsNotIgnored() {
        Map<String, String> environment = Map.of("POSTERN_OWN", "a", "POSTERN_OTHER", "b");

        assertThat(lines(read(environment, SITE + ROUTES + "instance: {namespace: \"${POSTERN_OWN}\"}\n")
                        .warnings()))
                .contains("POSTERN_OTHER: no key has that name; it is ignored")
                .noneMatch(line -> line.contains("POSTERN_OWN"));
    }

    @Test
    void showsTheReferenceInPlaceOfTheValue() {
        Map<String, String> environment = Map.of("PW", SECRET, "NS", "elsewhere", "ADDRESS", "127.0.0.1:8088");
        LoadedConfig loaded = read(
                environment,
                SITE.replace("127.0.0.1:8080", "${ADDRESS}") + ROUTES
                        + "redis: {uri: \"redis://:${PW}@cache:6379\"}\ninstance: {namespace: \"${NS}\"}\n");

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.config().redis().uri()).contains(SECRET);
        assertThat(loaded.effective())
                .filteredOn(one -> one.provenance().rank() > 0)
                .extracting(one -> one.key() + ": " + one.value())
                .contains(
                        "listeners.0.address: ${ADDRESS}",
                        "redis.uri: redis://***@cache:6379",
                        "instance.namespace: ${NS}");
        assertThat(loaded.effective().toString()).doesNotContain(SECRET, "elsewhere", "8088");
        assertThat(loaded.warnings().toString()).doesNotContain(SECRET);
    }

    /** Whatever check finds a fault, its message has the reference. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits: {head-timeout: \"${PW}\"}",
                "limits: {pipeline-depth: \"${PW}\"}",
                "instance: {namespace: \"${PW} \"}",
                "log: {level: \"${PW}\"}",
                "privacy-pass: {token-header: \"A${PW}\"}",
                "privacy-pass: {issuers: [{name: a.example, directory: \"ftp://${PW}\"}]}",
                "redis: {uri: \"${PW}\"}",
                "secrets: {ring-file: \"${PW}\"}",
                "extensions: {folder: \"/proc/${PW}\"}",
                "transport: {name-servers: [\"${PW}\"]}",
                "rate-limits: [{name: \"${PW}/\", rate: 1/s}]",
                "forward: {default: {rate-limit: \"${PW}\"}}",
                "forward: \"${PW}\"",
                "limits: \"${PW}\"",
                "tracing: {endpoint: \"${PW}\"}",
            })
    void messagesShowTheReferenceInPlaceOfTheValue(String section) {
        for (String value : List.of(SECRET, SECRET + "x".repeat(400), "two " + SECRET + "\nlines")) {
            LoadedConfig loaded = read(Map.of("PW", value), SITE + ROUTES + section + "\n");

            assertThat(loaded.problems()).isNotEmpty();
            assertThat(loaded.problems() + "" + loaded.warnings()).doesNotContain("hunter2");
        }
    }
}
