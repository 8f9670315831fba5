package dev.postern.auth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays every input that the fuzzer was given or found worth keeping. */
class FuzzCorpusTest {

    private static final Path CORPUS = Path.of("src/test/fuzz");
    private static final Path SOURCES = Path.of("src/test/java/dev/postern/auth/fuzz");

    private static final Map<String, Consumer<byte[]>> TARGETS = Map.of(
            "CredentialFuzz", CredentialFuzz::fuzzerTestOneInput,
            "ChallengeFieldFuzz", ChallengeFieldFuzz::fuzzerTestOneInput,
            "TokenChallengeFuzz", TokenChallengeFuzz::fuzzerTestOneInput,
            "TokenFuzz", TokenFuzz::fuzzerTestOneInput,
            "TokenKeyFuzz", TokenKeyFuzz::fuzzerTestOneInput,
            "VoprfKeyFuzz", VoprfKeyFuzz::fuzzerTestOneInput,
            "DirectoryFuzz", DirectoryFuzz::fuzzerTestOneInput);

    @TestFactory
    Stream<DynamicTest> nothingKnownBreaksAnything() {
        return TARGETS.entrySet().stream()
                .map(target -> DynamicTest.dynamicTest(target.getKey(), () -> {
                    List<Path> inputs = inputs(target.getKey());
                    assertThat(inputs).isNotEmpty();
                    for (Path input : inputs) {
                        target.getValue().accept(Files.readAllBytes(input));
                    }
                }));
    }

    /** Else a new target's corpus, or a renamed one's, would lie there unused. */
    @Test
    void everyTargetIsReplayed() throws IOException {
        assertThat(names(CORPUS)).containsExactlyInAnyOrderElementsOf(TARGETS.keySet());
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
