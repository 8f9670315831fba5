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
import org.junit.jupiter.api.TestFactory;

/** Replays every input that the fuzzer was given or found worth keeping. */
class FuzzCorpusTest {

    private static final Path CORPUS = Path.of("src/test/fuzz");

    private static final Map<String, Consumer<byte[]>> TARGETS = Map.of(
            "CredentialFuzz", CredentialFuzz::fuzzerTestOneInput,
            "ChallengeFieldFuzz", ChallengeFieldFuzz::fuzzerTestOneInput,
            "TokenChallengeFuzz", TokenChallengeFuzz::fuzzerTestOneInput,
            "TokenFuzz", TokenFuzz::fuzzerTestOneInput,
            "TokenKeyFuzz", TokenKeyFuzz::fuzzerTestOneInput,
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

    private static List<Path> inputs(String target) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(target))) {
            return files.sorted().toList();
        }
    }
}
