package dev.postern.app.replica;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.app.replica.PolledRoom.Outcome;
import dev.postern.core.testing.RedisExtension;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two gateway processes that share a room and lose Redis for longer than an absence, an idle time and a pass: an outage counts neither
 * as silence nor as absence.
 */
@Tag("faults")
@Tag("long")
class RoomOutageIT {

    private static final int ACTIVE = 3;
    private static final int PEOPLE = 30;
    private static final PolledRoom.Rules RULES = new PolledRoom.Rules(ACTIVE, 4_000, 3_000, 3_000);

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    @Test
    void keepsOrderPassesAndLimit() throws Exception {
        try (PolledRoom room = new PolledRoom(folder, RULES, REDIS.address(), Launch.FRUGAL);
                GatewayProcess one = room.gateway("one", PolledRoom.REDIS, 2);
                GatewayProcess two = room.gateway("two", PolledRoom.REDIS, 2)) {
            room.open(one, two, one);
            room.arrive(PEOPLE, one, two);
            room.awaitServed(ACTIVE);
            REDIS.server().freeze();
            PolledRoom.last(Duration.ofSeconds(5));
            REDIS.server().thaw();
            room.awaitServed(3 * ACTIVE);
            REDIS.server().kill();
            PolledRoom.last(Duration.ofSeconds(8));
            REDIS.server().start();

            Outcome outcome = room.outcome("a frozen, then an emptied Redis");
            SoftAssertions.assertSoftly(all -> {
                all.assertThat(outcome.order())
                        .hasSize(PEOPLE - outcome.absent())
                        .hasSizeGreaterThan(PEOPLE / 2);
                all.assertThat(outcome.tau()).as("order").isGreaterThanOrEqualTo(0.99);
                all.assertThat(outcome.overtakers())
                        .as("no ticket loses its position")
                        .isLessThan(2 * ACTIVE);
                all.assertThat(outcome.kept())
                        .as("requests with live passes that were served")
                        .isGreaterThanOrEqualTo(0.95);
                all.assertThat(outcome.peak()).as("concurrent sessions").isLessThanOrEqualTo(ACTIVE);
            });
        }
    }
}
