package dev.postern.core.fuzz;

import dev.postern.core.capsule.CapsulesFuzz;
import dev.postern.core.connection.ProxyProtocolHeaderFuzz;
import dev.postern.core.http1.ChunksFuzz;
import dev.postern.core.http1.DecoderDifferenceFuzz;
import dev.postern.core.http1.RequestHeadFuzz;
import dev.postern.core.http1.ResponseHeadFuzz;
import dev.postern.core.route.RoutesFuzz;
import dev.postern.core.route.TrustFuzz;
import dev.postern.core.route.transform.EditRulesFuzz;
import dev.postern.core.tls.ClientHelloFuzz;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Replays the fuzz corpus of this module, and the requests and responses of the rule tables. */
class FuzzCorpusTest extends ReplayedCorpus {

    FuzzCorpusTest() {
        super(new CorpusReplay(Map.of(
                "RequestHeadFuzz", RequestHeadFuzz::accepts,
                "ResponseHeadFuzz", ResponseHeadFuzz::accepts,
                "ChunksFuzz", ChunksFuzz::accepts,
                "DecoderDifferenceFuzz", DecoderDifferenceFuzz::accepts,
                "RoutesFuzz", RoutesFuzz::accepts,
                "TrustFuzz", TrustFuzz::accepts,
                "EditRulesFuzz", EditRulesFuzz::accepts,
                "ProxyProtocolHeaderFuzz", ProxyProtocolHeaderFuzz::accepts,
                "ClientHelloFuzz", ClientHelloFuzz::accepts,
                "CapsulesFuzz", CapsulesFuzz::accepts)));
    }

    @Test
    void replaysTheRuleTables() {
        RuleSeeds.requests().forEach((rule, bytes) -> {
            try {
                RequestHeadFuzz.accepts(bytes);
                DecoderDifferenceFuzz.accepts(bytes);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(rule + ": " + e, e);
            }
        });
        RuleSeeds.responses().forEach((rule, bytes) -> {
            try {
                ResponseHeadFuzz.accepts(bytes);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(rule + ": " + e, e);
            }
        });
    }
}
