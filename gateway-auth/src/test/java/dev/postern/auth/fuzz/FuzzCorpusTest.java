package dev.postern.auth.fuzz;

import dev.postern.core.fuzz.CorpusReplay;
import dev.postern.core.fuzz.ReplayedCorpus;
import java.util.Map;

/** Replays the fuzz corpus of this module. */
class FuzzCorpusTest extends ReplayedCorpus {

    FuzzCorpusTest() {
        super(new CorpusReplay(Map.of(
                "CredentialFuzz", CredentialFuzz::accepts,
                "ChallengeFieldFuzz", ChallengeFieldFuzz::accepts,
                "TokenChallengeFuzz", TokenChallengeFuzz::accepts,
                "TokenFuzz", TokenFuzz::accepts,
                "TokenKeyFuzz", TokenKeyFuzz::accepts,
                "VoprfKeyFuzz", VoprfKeyFuzz::accepts,
                "DirectoryFuzz", DirectoryFuzz::accepts)));
    }
}
