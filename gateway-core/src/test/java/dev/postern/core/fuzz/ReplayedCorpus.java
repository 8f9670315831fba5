package dev.postern.core.fuzz;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays every input that the fuzzer was given or found worth keeping, in the module of whoever extends it. */
public abstract class ReplayedCorpus {

    private final CorpusReplay replay;

    protected ReplayedCorpus(CorpusReplay replay) {
        this.replay = replay;
    }

    @TestFactory
    Stream<DynamicTest> nothingKnownBreaksAnything() {
        return replay.tests();
    }

    @Test
    void everyTargetIsReplayed() throws IOException {
        replay.requireAll();
    }
}
