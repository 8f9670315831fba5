package dev.postern.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Replays the inputs of a module's targets, those that somebody gave and those that the fuzzer found worth keeping.
 *
 * @param targets what each does with an input: checks what must hold, and says whether it was accepted
 */
public record CorpusReplay(Map<String, Predicate<byte[]>> targets) {

    private static final Path CORPUS = Path.of("src/test/fuzz");
    private static final Path SOURCES = Path.of("src/test/java");

    /** As much as scripts/fuzz tries. */
    private static final int MAX_BYTES = 4096;

    /** A test for each target. */
    public Stream<DynamicTest> tests() {
        return targets.entrySet().stream()
                .map(target ->
                        DynamicTest.dynamicTest(target.getKey(), () -> replay(target.getKey(), target.getValue())));
    }

    /** Inputs that are all refused would show no more than the first check of a parser. */
    private static void replay(String target, Predicate<byte[]> accepts) throws IOException {
        int accepted = 0;
        List<Path> inputs = inputs(target);
        for (Path input : inputs) {
            byte[] bytes = Files.readAllBytes(input);
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

    /** Else a new target's corpus, or a renamed one's, would lie there unused. */
    public void requireAll() throws IOException {
        try (Stream<Path> folders = Files.list(CORPUS);
                Stream<Path> sources = Files.walk(SOURCES)) {
            assertThat(folders.map(folder -> folder.getFileName().toString().replace(".dict", ""))
                            .distinct())
                    .containsExactlyInAnyOrderElementsOf(targets.keySet());
            assertThat(sources.map(source -> source.getFileName().toString())
                            .filter(name -> name.endsWith("Fuzz.java"))
                            .map(name -> name.replace(".java", "")))
                    .containsExactlyInAnyOrderElementsOf(targets.keySet());
        }
    }

    private static List<Path> inputs(String target) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(target))) {
            return files.sorted().toList();
        }
    }
}
