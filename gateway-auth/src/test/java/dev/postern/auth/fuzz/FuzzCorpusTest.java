package dev.postern.auth.fuzz;

import dev.postern.core.fuzz.CorpusReplay;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays every input that the fuzzer was given or found worth keeping. */
class FuzzCorpusTest {

    private static final CorpusReplay REPLAY = new CorpusReplay(Map.of(
            "CredentialFuzz", CredentialFuzz::accepts,
            "ChallengeFieldFuzz", ChallengeFieldFuzz::accepts,
            "TokenChallengeFuzz", TokenChallengeFuzz::accepts,
            "TokenFuzz", TokenFuzz::accepts,
            "TokenKeyFuzz", TokenKeyFuzz::accepts,
            "VoprfKeyFuzz", VoprfKeyFuzz::accepts,
            "DirectoryFuzz", DirectoryFuzz::accepts));

    @TestFactory
    Stream<DynamicTest> nothingKnownBreaksAnything() {
        return REPLAY.tests();
    }

    @Test
    void everyTargetIsReplayed() throws IOException {
        REPLAY.requireAll();
    }
}
