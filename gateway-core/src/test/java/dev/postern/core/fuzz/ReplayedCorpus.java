package dev.postern.core.fuzz;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays the fuzz corpus of the module of its subclass. */
public abstract class ReplayedCorpus {

    private final CorpusReplay replay;

    protected ReplayedCorpus(CorpusReplay replay) {
        this.replay = replay;
    }

    @TestFactory
    Stream<DynamicTest> replaysTheCorpus() {
        return replay.tests();
    }

    @Test
    void everyCorpusHasATarget() throws IOException {
        replay.requireAll();
    }
}
