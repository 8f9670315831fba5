package dev.postern.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests that each alert leads to a section of the docs, that the section names the alert, and that the log line in it is one of the code. */
class RunbookTest {

    private static final Path DOCS = Path.of("../docs");
    private static final List<String> PAGES = List.of("failures.md", "store-failures.md");

    /** Address of the copy of the repository, which an operator sets. */
    private static final String BASE = "{{ $externalLabels.runbooks }}docs/";

    private static final Pattern ALERT = Pattern.compile("\\*(Postern\\w+)\\*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern CONTEXT = Pattern.compile("context: (.+) is … \\(wanted: .+\\)\\.");
    private static final Pattern MEMBER = Pattern.compile("\"([a-z-]+)\":\"([a-z-]+)\"");

    /**
     * Section of a page.
     *
     * @param heading the first lines, with alerts and log lines; empty for none
     */
    private record Section(String url, String heading) {

        List<String> alerts() {
            return matches(ALERT, heading);
        }

        @Override
        public String toString() {
            return url;
        }
    }

    static List<JsonNode> alerts() {
        return DashboardFiles.alerts();
    }

    static List<Section> sections() {
        return PAGES.stream()
                .flatMap(RunbookTest::sections)
                .filter(section -> section.heading().startsWith("Alert: "))
                .toList();
    }

    private static Stream<Section> sections(String page) {
        return Stream.of(read(DOCS.resolve(page)).split("\n## ")).skip(1).map(text -> {
            String[] paragraphs = text.split("\n\n", 3);
            String anchor = paragraphs[0]
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9 -]", "")
                    .replace(' ', '-');
            return new Section(page + "#" + anchor, paragraphs[1]);
        });
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void everyAlertLeadsToTheSectionThatNamesIt(JsonNode alert) {
        String url = alert.path("annotations").path("runbook_url").asString("");

        assertThat(url).startsWith(BASE);
        assertThat(sections())
                .filteredOn(section -> section.url().equals(url.substring(BASE.length())))
                .singleElement()
                .extracting(Section::alerts)
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .contains(alert.path("alert").asString());
    }

    @Test
    void sectionsNameOnlyAlertsThatLeadThere() {
        Map<String, String> urls = new HashMap<>();
        alerts().forEach(alert -> urls.put(
                alert.path("alert").asString(),
                alert.path("annotations").path("runbook_url").asString("")));
        for (Section section : sections()) {
            assertThat(section.alerts()).as(section.url()).isNotEmpty();
            assertThat(section.alerts())
                    .allSatisfy(alert -> assertThat(urls.get(alert)).isEqualTo(BASE + section.url()));
        }
    }

    @ParameterizedTest
    @MethodSource("sections")
    void logLinesAreThoseOfTheCode(Section section) {
        List<String> lines = matches(CODE, section.heading());

        if (!section.heading().contains("No log line")) {
            assertThat(section.heading()).containsPattern("(?i)(log|error)[^:]*: `");
            assertThat(lines).allSatisfy(RunbookTest::expectInCode);
        }
    }

    private static void expectInCode(String line) {
        Matcher context = CONTEXT.matcher(line);
        Matcher member = MEMBER.matcher(line);
        if (context.matches()) {
            String item = context.group(1).replace("…", "NAME");
            assertThat(item.equals("NAME") || read(DOCS.resolve("context.md")).contains("| `" + item + "` |"))
                    .as("item of the hidden context in: %s", line)
                    .isTrue();
        } else if (member.matches()) {
            assertThat(sources())
                    .anyMatch(source ->
                            source.contains("\"" + member.group(2) + "\"") || isConstant(source, member.group(2)));
        } else {
            List<String> parts =
                    Stream.of(line.split("…")).filter(part -> !part.isBlank()).toList();
            assertThat(sources())
                    .as("a file with all of %s", parts)
                    .anyMatch(source -> parts.stream().allMatch(source::contains));
        }
    }

    /** Labels of enumerations are their names in lower case. */
    private static boolean isConstant(String source, String label) {
        return Pattern.compile("(?m)^ +" + label.toUpperCase(Locale.ROOT).replace('-', '_') + "\\b")
                .matcher(source)
                .find();
    }

    /** Returns the sources of the gateway, with texts that are split over lines joined. */
    private static List<String> sources() {
        List<String> all = new ArrayList<>();
        for (String module : List.of("core", "auth", "ratelimit", "app")) {
            try (Stream<Path> files = Files.walk(Path.of("../gateway-" + module, "src", "main", "java"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(file -> read(file).replaceAll("\"\\s*\\+ \"", ""))
                        .forEach(all::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
