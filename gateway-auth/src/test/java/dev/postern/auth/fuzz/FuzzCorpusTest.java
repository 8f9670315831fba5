package dev.postern.auth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays every input that the fuzzer was given or found worth keeping. */
class FuzzCorpusTest {

    private static final Path CORPUS = Path.of("src/test/fuzz");
    private static final Path SOURCES = Path.of("src/test/java/dev/postern/auth/fuzz");

    /** As much as scripts/fuzz tries: more than any token, challenge, key, or directory of a few keys has. */
    private static final int MOST_BYTES = 4096;

    private static final Map<String, Predicate<byte[]>> TARGETS = Map.of(
            "CredentialFuzz", CredentialFuzz::accepts,
            "ChallengeFieldFuzz", ChallengeFieldFuzz::accepts,
            "TokenChallengeFuzz", TokenChallengeFuzz::accepts,
            "TokenFuzz", TokenFuzz::accepts,
            "TokenKeyFuzz", TokenKeyFuzz::accepts,
            "VoprfKeyFuzz", VoprfKeyFuzz::accepts,
            "DirectoryFuzz", DirectoryFuzz::accepts);

    @TestFactory
    Stream<DynamicTest> nothingKnownBreaksAnything() {
        return TARGETS.entrySet().stream()
                .map(target ->
                        DynamicTest.dynamicTest(target.getKey(), () -> replay(target.getKey(), target.getValue())));
    }

    /** Inputs that are all refused would show no more than the first check of a parser. */
    private static void replay(String target, Predicate<byte[]> accepts) throws IOException {
        int accepted = 0;
        List<Path> inputs = inputs(target);
        for (Path input : inputs) {
            byte[] bytes = Files.readAllBytes(input);
            assertThat(bytes).as("%s", input).hasSizeLessThanOrEqualTo(MOST_BYTES);
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
    @Test
    void everyTargetIsReplayed() throws IOException {
        assertThat(names(CORPUS).stream().map(name -> name.replace(".dict", "")).distinct())
                .containsExactlyInAnyOrderElementsOf(TARGETS.keySet());
        assertThat(names(SOURCES).stream()
                        .filter(name -> name.endsWith("Fuzz.java"))
                        .map(name -> name.replace(".java", "")))
                .containsExactlyInAnyOrderElementsOf(TARGETS.keySet());
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static List<Path> inputs(String target) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(target))) {
            return files.sorted().toList();
        }
    }
}
