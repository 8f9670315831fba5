package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a text that is not YAML is reported with its place and a hint, in the gateway's own words. */
class YamlFaultTest {

    /** Words of the library's messages, and of no message of the gateway. */
    private static final String LIBRARY =
            "(?s).*(<block|<scalar|<stream|simple key|while scanning|while parsing|found undefined|cannot start any"
                    + " token|not allowed here|but got|but found|org\\.snakeyaml|code point|Exception).*";

    @TempDir
    private Path folder;

    private static List<String> problems(String text) {
        return new ConfigReader(Map.of(), List.of())
                .read("g.yaml", text, Path.of("")).problems().stream()
                        .map(Problem::toString)
                        .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "limits:|\\tconnections: 5 ~ 2:1: a tab (expected: blanks; YAML is not indented by tabs)",
                "limits:|  connections: 5|\\tmax-fields: 20 ~ 3:1: a tab (expected: blanks; YAML is not indented by tabs)",
                "listeners:|  - address: [::1]:80 ~ 2:14: an address in [ ] (expected: quotes around the whole value, such as"
                        + " \"[::1]:80\")",
                "listeners:|  - address: \"a\":80 ~ 2:17: text behind a quote (expected: quotes around the whole value)",
                "routes: [{host: *, upstream: app}] ~ 1:17: * without quotes (expected: \"*\", since * begins the name of an"
                        + " anchor)",
                "routes:|  - host: *.example ~ 2:11: * without quotes (expected: \"*\", since * begins the name of an anchor)",
                "routes:|  - host: * ~ 2:11: * without quotes (expected: \"*\", since * begins the name of an anchor)",
                "a: & ~ 1:4: & (expected: quotes around a value that begins with &)",
                "a: !x!y z ~ 1:4: ! (expected: quotes around a value that begins with !)",
                "a: @file ~ 1:4: @ (expected: quotes around a value that begins with @)",
                "a: `x` ~ 1:4: ` (expected: quotes around a value that begins with `)",
                "a: %{X} ~ 1:4: % (expected: quotes around a value that begins with %)",
                "a: \"x ~ 1:4: a quote (expected: the quote that ends it)",
                "a: 'x|b: y ~ 1:4: a quote (expected: the quote that ends it)",
                "a: \"\\d\" ~ 1:6: \\ in double quotes (expected: \\\\, or single quotes around the value)",
                "a: |x ~ 1:4: | or > (expected: a text on the following lines, or quotes around a value that begins with | or >)",
                "a: b: c ~ 1:5: : in a value (expected: quotes around the value, or one key on a line)",
                "a: x|   b: c ~ 2:5: a key in this column (expected: the keys and dashes of one section in the same column)",
                "a: - b ~ 1:4: - behind a key (expected: a line of its own, or a list such as [a, b])",
                "a: 1|b|c: 2 ~ 2:1: a line without a key (expected: key: value)",
                "a: 1|b ~ 2:1: a line without a key (expected: key: value)",
                "a: [1, 2 ~ 1:4: [ (expected: the ] that ends it)",
                "a: {b: 1|c: 2 ~ 2:2: text in brackets (expected: a comma or the closing bracket; quotes around a value with [, ], {, } or a comma)",
                "a: [b, ${X}] ~ 1:9: text in brackets (expected: a comma or the closing bracket; quotes around a value with [, ], {, } or a comma)",
                "limits:|    connections: 5|  max-fields: 20 ~ 3:3: a line in this column (expected: the keys and dashes of one"
                        + " section in the same column, here 1)",
                "a: 1|---|b: 2 ~ 2:1: text behind the end (expected: one document, without a second ---)",
                "a: b\\u0000 ~ 1:5: a character U+0000 (expected: text without such characters)",
            })
    void saysWhatStandsThereAndWhatIsExpected(String text, String expected) {
        String written = text.replace("|x", "\u0001").replace("|", "\n").replace("\u0001", "|x");
        assertThat(problems(written.replace("\\t", "\t").replace("\\u0000", "\u0000")))
                .first()
                .isEqualTo("g.yaml:" + expected);
    }

    @Test
    void namesTheRulesOfOtherPrograms() {
        assertThat(problems("limits: &l {}\nhttp2:\n  <<: *l\n"))
                .anyMatch(line -> line.startsWith("g.yaml:3:3: http2: << (expected: the keys themselves, since"));
        assertThat(problems("x-common: &l {}\n"))
                .anyMatch(
                        line -> line.equals("g.yaml:1:1: x-common: unknown key (expected: none that begins with x-; an"
                                + " anchor stands where its value is used first)"));
        assertThat(problems("instance:\n  namespace: {{ .Values.name }}\n"))
                .anyMatch(line ->
                        line.startsWith("g.yaml:2:15: instance.namespace: a key in brackets (expected: a name;"));
    }

    @Test
    void bearsEveryDepth() {
        assertThat(problems("[".repeat(100_000)))
                .singleElement()
                .asString()
                .isEqualTo("g.yaml:1:1: nested too deeply (expected: 32 levels)");
        assertThat(problems("a: " + "{a: ".repeat(40) + "}".repeat(40)))
                .anyMatch(line -> line.endsWith(": nested too deeply (expected: 32 levels)"));
    }

    @Test
    void saysWhatIsExpectedInAnOverride() {
        List<Problem> problems = new ConfigReader(Map.of(), List.of("instance.namespace=[a"))
                .read("g.yaml", "", Path.of(""))
                .problems();

        assertThat(problems.stream().map(Problem::toString))
                .contains("--set instance.namespace: instance.namespace: [ (expected: the ] that ends it)");
    }

    /** Each damaged text is either valid, or reported without a word of the library and with a place in it. */
    @Test
    void damagedTextsAreReportedInOurWords() throws IOException {
        String text = CompleteConfiguration.in(folder).text(Map.of());
        String pieces = "\t:-[]{}*&!|>'\"%@`#,? \n\\a";
        SplittableRandom random = new SplittableRandom(45);
        int faults = 0;
        for (int i = 0; i < 400; i++) {
            int at = random.nextInt(text.length());
            int cut = random.nextInt(3) * random.nextInt(12);
            int piece = random.nextInt(pieces.length());
            String damaged = text.substring(0, at)
                    + pieces.substring(piece, Math.min(pieces.length(), piece + random.nextInt(3)))
                    + text.substring(Math.min(text.length(), at + cut));
            List<Problem> found = new ArrayList<>();
            if (!YamlText.read("g.yaml", damaged, new ConfigNode(), found)) {
                faults++;
                assertThat(found).hasSize(1);
                assertThat(found.get(0).toString())
                        .as(damaged)
                        .doesNotMatch(LIBRARY)
                        .matches("g\\.yaml:\\d+:\\d+: .+ \\(expected: .+\\)");
                assertThat(found.get(0).at().line())
                        .isBetween(1, (int) damaged.lines().count() + 1);
            }
        }
        assertThat(faults).isGreaterThan(50);
    }
}
