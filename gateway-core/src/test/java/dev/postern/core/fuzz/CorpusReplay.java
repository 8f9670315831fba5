package dev.postern.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DynamicTest;

/**
 * Replays the corpus of a module's targets, which was written by hand or found by the fuzzer; one zip file per target.
 *
 * @param targets checks of each target: they throw if an invariant does not hold, and return whether the input was accepted
 */
public record CorpusReplay(Map<String, Predicate<byte[]>> targets) {

    private static final Path CORPUS = Path.of("src/test/fuzz");
    private static final Path SOURCES = Path.of("src/test/java");

    /** The same maximum as in scripts/fuzz. */
    private static final int MAX_BYTES = 4096;

    /** Returns one test per target. */
    public Stream<DynamicTest> tests() {
        return targets.entrySet().stream()
                .map(target ->
                        DynamicTest.dynamicTest(target.getKey(), () -> replay(target.getKey(), target.getValue())));
    }

    /** Fails when too few inputs are accepted: those would test only the first check of a parser. */
    private static void replay(String target, Predicate<byte[]> accepts) throws IOException {
        int accepted = 0;
        Map<String, byte[]> inputs = inputs(target);
        for (Map.Entry<String, byte[]> entry : inputs.entrySet()) {
            String input = target + "/" + entry.getKey();
            byte[] bytes = entry.getValue();
            assertThat(bytes).as("%s", input).hasSizeLessThanOrEqualTo(MAX_BYTES);
            try {
                accepted += accepts.test(bytes) ? 1 : 0;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(input + ": " + e, e);
            }
        }
        assertThat(accepted)
                .as("accepted of the %s inputs of %s", inputs.size(), target)
                .isBetween(1, inputs.size() - 1);
    }

    /** Fails for a corpus without a target, which would otherwise stay unused. */
    public void requireAll() throws IOException {
        try (Stream<Path> corpora = Files.list(CORPUS);
                Stream<Path> sources = Files.walk(SOURCES)) {
            assertThat(corpora.map(file -> file.getFileName().toString().replaceAll("\\.(zip|dict)$", ""))
                            .distinct())
                    .containsExactlyInAnyOrderElementsOf(targets.keySet());
            assertThat(sources.map(source -> source.getFileName().toString())
                            .filter(name -> name.endsWith("Fuzz.java"))
                            .map(name -> name.replace(".java", "")))
                    .containsExactlyInAnyOrderElementsOf(targets.keySet());
        }
    }

    private static Map<String, byte[]> inputs(String target) throws IOException {
        Map<String, byte[]> inputs = new TreeMap<>();
        try (ZipFile zip = new ZipFile(CORPUS.resolve(target + ".zip").toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                try (InputStream bytes = zip.getInputStream(entry)) {
                    inputs.put(entry.getName(), bytes.readAllBytes());
                }
            }
        }
        return inputs;
    }
}
