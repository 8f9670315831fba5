package dev.postern.core.fuzz;

import dev.postern.core.accept.ProxyHeaderFuzz;
import dev.postern.core.edit.EditRulesFuzz;
import dev.postern.core.http1.AnswerHeadFuzz;
import dev.postern.core.http1.ChunksFuzz;
import dev.postern.core.http1.DecoderDifferenceFuzz;
import dev.postern.core.http1.RequestHeadFuzz;
import dev.postern.core.route.RoutesFuzz;
import dev.postern.core.route.TrustFuzz;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays every input that the fuzzer was given or found worth keeping, and every request and answer of the rules. */
class FuzzCorpusTest {

    private static final CorpusReplay REPLAY = new CorpusReplay(Map.of(
            "RequestHeadFuzz", RequestHeadFuzz::accepts,
            "AnswerHeadFuzz", AnswerHeadFuzz::accepts,
            "ChunksFuzz", ChunksFuzz::accepts,
            "DecoderDifferenceFuzz", DecoderDifferenceFuzz::accepts,
            "RoutesFuzz", RoutesFuzz::accepts,
            "TrustFuzz", TrustFuzz::accepts,
            "EditRulesFuzz", EditRulesFuzz::accepts,
            "ProxyHeaderFuzz", ProxyHeaderFuzz::accepts));

    @TestFactory
    Stream<DynamicTest> nothingKnownBreaksAnything() {
        return REPLAY.tests();
    }

    @Test
    void everyTargetIsReplayed() throws IOException {
        REPLAY.requireAll();
    }

    @Test
    void theRulesBreakNothing() {
        RuleSeeds.requests().forEach((rule, bytes) -> {
            try {
                RequestHeadFuzz.accepts(bytes);
                DecoderDifferenceFuzz.accepts(bytes);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(rule + ": " + e, e);
            }
        });
        RuleSeeds.answers().forEach((rule, bytes) -> {
            try {
                AnswerHeadFuzz.accepts(bytes);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(rule + ": " + e, e);
            }
        });
    }
}
