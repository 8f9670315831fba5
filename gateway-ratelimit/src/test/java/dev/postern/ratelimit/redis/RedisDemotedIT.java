package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.RedisPair;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two nodes whose Redis becomes a replica: they follow the name to the new master, and the bound holds. */
@Tag("faults")
class RedisDemotedIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension ONE = new RedisExtension();

    @RegisterExtension
    static final RedisExtension OTHER = new RedisExtension();

    private final RedisPair pair = RedisPair.of(ONE, OTHER);

    @Override
    protected StoreNode open() {
        return StoreNode.single(loops, pair.relay().address());
    }

    @AfterEach
    void reset() {
        pair.close();
    }

    @Test
    void followsTheNameFromADemotedMaster() {
        pair.replicating().demote();
        expectRecovery();
    }

    @Test
    void followsTheNameAfterAHandOver() {
        pair.replicating().failOver();
        expectRecovery();
    }

    @Test
    void holdsTheBoundWhileTheNameStillPointsToTheReplica() {
        pair.replicating();
        awaitFreshPass();
        pair.swap();
        expectService(Duration.ofSeconds(2));
        expectState("not usable: READONLY: a replica");
        pair.relay().repoint(OTHER.address());
        expectRecovery();
    }

    @Test
    void connectsAgainAfterTheServerKilledItsConnections() {
        for (int i = 0; i < 3; i++) {
            ONE.cli("client", "kill", "type", "normal");
        }
        expectRecovery();
    }

    private void expectState(String text) {
        Awaitility.await().until(() -> states().contains(text));
    }
}
