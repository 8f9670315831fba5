package dev.postern.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.ConfigSchema;
import dev.postern.app.config.read.ConfigSchemaGenerator;
import dev.postern.app.config.read.Examples;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.headers.ClientClaims;
import dev.postern.core.http.Refusal;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.metrics.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the docs match the code. {@code -Ddocs.write=true} writes the generated pages. */
class DocsTest {

    private static final Path ROOT = root();
    private static final Path DOCS = ROOT.resolve("docs");
    /** Matches a row of the table of renamed keys; paths and meters are not keys. */
    private static final Pattern RENAMED = Pattern.compile("(?m)^\\| `(?!/|postern\\.)([^`]+)` \\| `([^`]+)` \\|$");

    private static final Pattern YAML_BLOCK = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

    private static Path root() {
        Path location = Path.of("").toAbsolutePath();
        while (location != null && !Files.exists(location.resolve("mvnw"))) {
            location = location.getParent();
        }
        return location == null ? Path.of("") : location;
    }

    @Test
    void configurationPageIsGeneratedFromTheRecords() throws IOException {
        compare(DOCS.resolve("configuration.md"), ConfigSchemaGenerator.markdown());
        assertThat(ConfigSchemaGenerator.keys())
                .contains("limits.pipeline-depth", "rate-limits[].fair-queue.absence")
                .hasSizeGreaterThan(100);
    }

    @Test
    void schemaIsGeneratedFromTheRecords() throws IOException {
        compare(DOCS.resolve("gateway.schema.json"), ConfigSchemaGenerator.schema());
    }

    private static void compare(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file))
                .as(
                        "%s (to write it anew: ./mvnw -pl gateway-app -am test -Dtest=DocsTest -Ddocs.write=true)",
                        file.getFileName())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void everyRefusalIsExplained(Refusal refusal) throws IOException {
        String row = row(DOCS.resolve("refusals.md"), "`" + refusal.code() + "`");

        assertThat(row)
                .as(refusal.code())
                .contains("| " + refusal.status(), "| " + refusal.blame().label() + " |");
        assertThat(row.split("\\|"))
                .as("code, status, blame, cause, what to do")
                .hasSize(6);
    }

    @Test
    void clientAuthorsReadWhenToRepeat() throws IOException {
        String page = Files.readString(DOCS.resolve("clients.md"));
        List<Refusal> repeated = Arrays.stream(Refusal.values())
                .filter(refusal -> refusal.status() == 429 || refusal.status() == 503)
                .toList();

        assertThat(names(DOCS.resolve("clients.md")))
                .containsExactlyInAnyOrderElementsOf(
                        repeated.stream().map(Refusal::code).toList());
        assertThat(repeated)
                .allSatisfy(refusal ->
                        assertThat(page).contains("| `" + refusal.code() + "` | " + refusal.status() + " | "));
        assertThat(Arrays.stream(Refusal.values()).map(Refusal::status).filter(status -> status < 500))
                .as("statuses that the first table explains")
                .allSatisfy(status -> assertThat(page).containsPattern("\\| [0-9, ]*" + status + "[0-9, ]* \\|"));
        for (Path linking : List.of(ROOT.resolve("README.md"), DOCS.resolve("refusals.md"))) {
            assertThat(Files.readString(linking)).as("%s", linking).contains("clients.md)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyMeterIsExplained(Meters meter) throws IOException {
        String row = row(DOCS.resolve("metrics.md"), "`" + meter.meter() + "`");

        assertThat(row).as(meter.meter()).contains(meter.description());
        assertThat(meter.tagKeys()).allSatisfy(tag -> assertThat(row).contains("`" + tag + "`"));
    }

    @ParameterizedTest
    @EnumSource
    void everyAbuseLimitIsExplained(AbuseLimit limit) throws IOException {
        String table = Files.readString(DOCS.resolve("http.md"));

        assertThat(table).containsPattern("(?m)^\\| .*`" + limit.label() + "`.* \\|.*\\|.*\\|$");
    }

    /** Other programs run under the same name, such as every JVM under {@code java}. */
    @Test
    void noCommandSignalsProcessesByName() throws IOException {
        Pattern byName = Pattern.compile("\\b(pidof|pgrep|pkill|killall)\\b");
        try (Stream<Path> files = Files.walk(DOCS)) {
            List<Path> commands = Stream.concat(
                            files,
                            Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md")
                                    .map(ROOT::resolve))
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
            for (Path file : commands) {
                assertThat(Files.readString(file)).as("%s", file).doesNotContainPattern(byName);
            }
        }
    }

    /** A number of things that grow is wrong with the next one. */
    @Test
    void noPageCountsAlertsOrDashboardsWrongly() throws IOException {
        long alerts;
        try (Stream<String> rows = Files.lines(DOCS.resolve("observe.md"))) {
            alerts = rows.filter(row -> row.startsWith("| Postern")).count();
        }
        try (Stream<Path> files = Files.walk(DOCS)) {
            for (Path file : Stream.concat(
                            files, Stream.of("README.md", "CHANGELOG.md").map(ROOT::resolve))
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList()) {
                assertThat(Pattern.compile("\\b(\\d+) (?:[a-z]+ )?alerts\\b")
                                .matcher(Files.readString(file))
                                .results()
                                .map(match -> match.group(1)))
                        .as("%s", file)
                        .allMatch(number -> number.equals(Long.toString(alerts)));
            }
        }
    }

    /** Only handwritten pages: an alert leads to one section, which should be found without scrolling far. */
    @Test
    void pagesOfFailuresStayShort() throws IOException {
        for (String page : List.of("failures.md", "store-failures.md", "issuers.md", "observe.md", "metrics.md")) {
            assertThat(Files.readString(DOCS.resolve(page)).split("\\s+"))
                    .as("words of %s", page)
                    .hasSizeLessThanOrEqualTo(2_500);
        }
    }

    /** What a directory's caching fields do is a rule of DirectoryRefresher, which its own test covers. */
    @Test
    void refreshIsAnUpperBound() throws IOException {
        assertThat(row(DOCS.resolve("configuration.md"), "`privacy-pass.issuers[].refresh`"))
                .contains("Longest time between two requests", "caching fields can shorten it, to 5 s at least");
    }

    @Test
    void documentsEveryRemovedField() throws IOException {
        String page = Files.readString(DOCS.resolve("http.md"));

        assertThat(ClientClaims.all()).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    @Test
    void documentsSectionsThatNeedARestart() throws IOException {
        String page = Files.readString(DOCS.resolve("reload.md"));
        String table = page.substring(page.indexOf("## What needs a restart"));

        assertThat(names(table)).containsExactlyElementsOf(restarts(ConfigSchema.of(GatewayConfig.class), ""));
    }

    @Test
    void renamedKeysAreInTheChangelog() throws IOException {
        Map<String, String> table = new TreeMap<>();
        Matcher row = RENAMED.matcher(Files.readString(ROOT.resolve("CHANGELOG.md")));
        while (row.find()) {
            table.put(row.group(1), row.group(2));
        }
        Map<String, String> renamed = new TreeMap<>();
        renamed(ConfigSchema.of(GatewayConfig.class), "", renamed);

        assertThat(table).isNotEmpty().isEqualTo(renamed);
    }

    private static void renamed(ConfigSchema schema, String path, Map<String, String> renamed) {
        switch (schema.kind()) {
            case RECORD ->
                schema.fields().forEach(field -> {
                    String name = path + field.key();
                    if (!field.about().formerly().isEmpty()) {
                        renamed.put(path + field.about().formerly(), name);
                    }
                    renamed(field.schema(), name + ".", renamed);
                });
            case LIST -> renamed(schema.element(), path.substring(0, path.length() - 1) + "[].", renamed);
            case MAP -> renamed(schema.element(), path + "*.", renamed);
            case LEAF -> {}
        }
    }

    /** Returns the keys whose change needs a restart, each without the keys below. */
    private static List<String> restarts(ConfigSchema schema, String path) {
        List<String> keys = new ArrayList<>();
        for (ConfigSchema.Field field : schema.fields()) {
            if (field.about().restart()) {
                keys.add(path + field.key());
            } else {
                keys.addAll(restarts(field.schema(), path + field.key() + "."));
            }
        }
        return keys;
    }

    @Test
    void documentsOnlyExistingNames() throws IOException {
        assertThat(names(DOCS.resolve("refusals.md")))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Refusal.values()).map(Refusal::code).toList());
        assertThat(names(DOCS.resolve("metrics.md")).stream().filter(n -> n.startsWith("postern.")))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Meters.values()).map(Meters::meter).toList());
    }

    @Test
    void configurationsOfThisRepositoryAreValid() throws IOException {
        Path kubernetes = ROOT.resolve("docker/kubernetes/config.yaml");
        String indented = Files.readString(kubernetes).split("gateway.yaml: \\|\n", 2)[1];
        check(
                "kubernetes",
                indented.lines().map(l -> l.length() > 4 ? l.substring(4) : "").toList());
        check("compose", Files.readAllLines(ROOT.resolve("docker/gateway.yaml")));
        check("with nginx", Files.readAllLines(ROOT.resolve("docker/with-nginx/gateway.yaml")));
    }

    @Test
    void yamlBlocksOfPagesAreValidConfigurations() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> files = Files.walk(DOCS)) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        int checked = 0;
        for (Path page : pages) {
            Matcher block = YAML_BLOCK.matcher(Files.readString(page));
            while (block.find()) {
                check(
                        ROOT.relativize(page) + ": "
                                + block.group(1).lines().findFirst().orElse(""),
                        Examples.completed(block.group(1)).lines().toList());
                checked++;
            }
        }

        assertThat(checked).isGreaterThan(17);
    }

    /** Checks a configuration, except files that it names, which do not exist. */
    private static void check(String name, List<String> lines) {
        LoadedConfig config = new ConfigReader(Map.of("PORT", "8080"), List.of())
                .read(name, String.join("\n", lines) + "\n", Path.of(""));
        assertThat(config.problems())
                .extracting(Object::toString)
                .filteredOn(problem -> !problem.contains("(expected: a file that can be read)"))
                .isEmpty();
        assertThat(config.warnings())
                .as("keys without effect; a block may show elements that its routes do not name, and gets an issuer")
                .extracting(Object::toString)
                .filteredOn(warning -> warning.contains("no effect"))
                .filteredOn(warning -> !warning.matches(".*(name|forward\\.[a-z]+|privacy-pass|routes): .*"))
                .isEmpty();
    }

    private static String row(Path file, String first) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("| " + first + " |"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(file.getFileName() + " has no line for " + first));
        }
    }

    private static List<String> names(Path file) throws IOException {
        return names(Files.readString(file));
    }

    private static List<String> names(String tables) {
        return Pattern.compile("(?m)^\\| `([a-z0-9.-]+)` \\|")
                .matcher(tables)
                .results()
                .map((MatchResult r) -> r.group(1))
                .toList();
    }
}
