package dev.postern.app.replica;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.app.replica.PolledRoom.Outcome;
import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.RedisExtension;
import java.nio.file.Path;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two gateway processes whose Redis becomes a replica of another server while clients wait: with all data at the new master, and with
 * none. The name, here a relay, leads to the new master; open connections stay at the old one.
 */
@Tag("faults")
@Tag("long")
class RoomFailoverIT {

    private static final int ACTIVE = 3;
    private static final int PEOPLE = 30;
    private static final PolledRoom.Rules RULES = new PolledRoom.Rules(ACTIVE, 4_000, 3_000, 3_000);

    @RegisterExtension
    static final RedisExtension ONE = new RedisExtension();

    @RegisterExtension
    static final RedisExtension OTHER = new RedisExtension();

    @TempDir
    private Path folder;

    private final FrozenRelay relay = new FrozenRelay(ONE.address());

    @AfterEach
    void close() {
        relay.close();
    }

    @Test
    void keepsOrderPassesAndLimit() throws Exception {
        try (PolledRoom room = new PolledRoom(folder, RULES, relay.address(), Launch.FRUGAL);
                GatewayProcess one = room.gateway("one", PolledRoom.REDIS, 2);
                GatewayProcess two = room.gateway("two", PolledRoom.REDIS, 2)) {
            room.open(one, two, one);
            room.arrive(PEOPLE, one, two);
            room.awaitServed(ACTIVE);
            moveWithAllData();
            room.awaitServed(3 * ACTIVE);
            moveBackWithoutData();

            Outcome outcome = room.outcome("a demoted, then an emptied Redis");
            SoftAssertions.assertSoftly(all -> {
                all.assertThat(outcome.order())
                        .hasSize(PEOPLE - outcome.absent())
                        .hasSizeGreaterThan(PEOPLE / 2);
                all.assertThat(outcome.tau()).as("order").isGreaterThanOrEqualTo(0.99);
                all.assertThat(outcome.kept())
                        .as("requests with live passes that were served")
                        .isGreaterThanOrEqualTo(0.95);
                all.assertThat(outcome.peak()).as("concurrent sessions").isLessThanOrEqualTo(ACTIVE);
            });
        }
    }

    private void moveWithAllData() {
        OTHER.copy(ONE);
        OTHER.lead();
        ONE.follow(OTHER);
        relay.repoint(OTHER.address());
    }

    private void moveBackWithoutData() {
        ONE.lead();
        ONE.cli("flushall");
        relay.repoint(ONE.address());
        OTHER.follow(ONE);
    }
}
