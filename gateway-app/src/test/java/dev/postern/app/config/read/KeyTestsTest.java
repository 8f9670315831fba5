package dev.postern.app.config.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that {@code key-tests.txt} names a test for every key, and that this test exists and contains the key. */
class KeyTestsTest {

    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new TreeMap<>();
        try (InputStream in = Objects.requireNonNull(KeyTestsTest.class.getResourceAsStream("key-tests.txt"))) {
            new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> line.contains(" = ") && !line.startsWith("#"))
                    .forEach(line -> assertThat(tests.put(line.split(" = ")[0], line.split(" = ")[1]))
                            .as(line)
                            .isNull());
        }
        return tests;
    }

    static Stream<Map.Entry<String, String>> rows() throws IOException {
        return tests().entrySet().stream();
    }

    @Test
    void everyKeyHasATest() throws IOException {
        List<String> all = ConfigSchemaGenerator.keys();
        List<String> leaves = all.stream()
                .filter(key ->
                        all.stream().noneMatch(other -> other.startsWith(key + ".") || other.startsWith(key + "[")))
                .toList();
        assertThat(tests().keySet()).containsExactlyInAnyOrderElementsOf(leaves);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void itsTestNamesIt(Map.Entry<String, String> row) throws IOException {
        String[] tests = row.getValue().split(" \\+ ");
        String[] classAndMethod = tests[0].split("#");
        String source = source("app." + classAndMethod[0]);
        String key = row.getKey();
        String word = key.substring(key.lastIndexOf('.') + 1).replace("[]", "");
        if (tests.length > 1) {
            assertThat(method(source, classAndMethod[1]))
                    .as("%s names %s", tests[0], key)
                    .containsAnyOf(key + " ", "." + word + "=");
            String[] moduleTest = tests[1].split("#");
            assertThat(method(source(moduleTest[0]), moduleTest[1]))
                    .as(tests[1])
                    .isNotEmpty();
            return;
        }
        String text = classAndMethod.length > 1 ? method(source, classAndMethod[1]) : source;
        // Code outside of tests belongs to all tests of a class.
        assertThat(text.contains(word)
                        || classAndMethod.length > 1 && sharedCode(source).contains(word))
                .as("%s names %s", tests[0], word)
                .isTrue();
    }

    /** @param test the name of a class, with its module in place of {@code dev.postern.MODULE} */
    private static String source(String test) throws IOException {
        String module = test.substring(0, test.indexOf('.'));
        return Files.readString(
                Path.of("../gateway-" + module, "src/test/java/dev/postern", test.replace('.', '/') + ".java"));
    }

    private static String method(String source, String name) {
        int start = source.indexOf("\n    void " + name + "(");
        assertThat(start).as("the method %s", name).isNotNegative();
        int preceding = source.lastIndexOf("\n\n", start);
        return source.substring(preceding, source.indexOf("\n    }\n", start));
    }

    /** Returns constants and methods that are not tests. */
    private static String sharedCode(String source) {
        StringBuilder sharedCode = new StringBuilder();
        for (String piece : source.split("\n\n")) {
            if (piece.startsWith("    private ") || piece.startsWith("    static ")) {
                sharedCode.append(piece);
            }
        }
        return sharedCode.toString();
    }
}
