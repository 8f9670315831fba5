package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Verifies that tenants of one room take turns by their weights, and that sessions of one tenant keep their order of arrival. */
class TenantShareTest {

    private static final TenantShare BIG = new TenantShare("big", 1);
    private static final TenantShare SMALL = new TenantShare("small", 1);
    private static final TenantShare HEAVY = new TenantShare("heavy", 3);

    private long now = 1_000 * SECOND;
    private final Room room = new Room(AdmissionRequests.rules(), now);
    private final RoomOverrides overrides =
            RoomOverrides.NONE.in(RoomMode.PAUSED).at(1);

    TenantShareTest() {
        room.control(overrides);
    }

    private AdmissionDecision enter(String session, TenantShare share) {
        return room.decide(new AdmissionRequest(Intent.ENTER, session, "all", Claim.NONE, "", share), now);
    }

    @Test
    void aLargeTenantDelaysASmallOneByOneTurn() {
        for (int i = 0; i < 900; i++) {
            enter("b" + i, BIG);
        }

        assertThat(enter("s", SMALL).position()).isEqualTo(2);
        assertThat(enter("s2", SMALL).position()).isEqualTo(4);
    }

    @Test
    void keepsTheOrderOfArrivalWithinATenant() {
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            positions.add(enter("b" + i, BIG).position());
        }

        assertThat(positions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void admitsTenantsInProportionToTheirWeights() {
        for (int i = 0; i < 60; i++) {
            enter("b" + i, BIG);
            enter("h" + i, HEAVY);
        }
        int heavyAmongTheFirst40 = 0;
        for (int i = 0; i < 60; i++) {
            heavyAmongTheFirst40 += enter("h" + i, HEAVY).position() <= 40 ? 1 : 0;
        }

        assertThat(heavyAmongTheFirst40).isEqualTo(30);
    }

    @Test
    void anIdleTenantAccumulatesNoTurns() {
        for (int i = 0; i < 10; i++) {
            enter("b" + i, BIG);
        }
        admit("b0", "b1", "b2");
        now += 100 * SECOND; // all have left

        assertThat(enter("b", BIG).position()).isEqualTo(1);
        assertThat(enter("s", SMALL).position()).isEqualTo(2);
        assertThat(enter("b'", BIG).position()).isEqualTo(3);
    }

    @Test
    void aTenantTakesNoTurnsFromBeforeItsArrival() {
        for (int i = 0; i < 10; i++) {
            enter("b" + i, BIG);
        }
        admit("b0", "b1", "b2");

        assertThat(enter("s", SMALL).position()).as("behind b3").isEqualTo(2);
    }

    @Test
    void turnsDoNotDependOnTheTimeOfArrivalWhileSessionsWait() {
        for (int i = 0; i < 10; i++) {
            enter("b" + i, BIG);
        }
        now += 4 * SECOND;

        assertThat(enter("s", SMALL).position()).isEqualTo(2);
    }

    @Test
    void restoredTicketsKeepTheTurnOfTheirTenant() {
        long ticket = now + 5_000;
        Claim lost = new Claim(now - 50 * SECOND, ticket, now - SECOND, 0, 0);
        room.decide(new AdmissionRequest(Intent.ENTER, "back", "all", lost, "", BIG), now);

        assertThat(enter("b", BIG).position()).isEqualTo(2);
        assertThat(enter("s", SMALL).position()).isEqualTo(1);
    }

    @Test
    void weightsAreFrom1To100() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TenantShare("a", 0))
                .withMessageContaining("1 to 100");
        assertThatIllegalArgumentException().isThrownBy(() -> new TenantShare("a", 101));
        assertThat(new TenantShare("a", 100).step()).isEqualTo(10);
    }

    private void admit(String... sessions) {
        room.control(RoomOverrides.NONE.at(2));
        for (String session : sessions) {
            assertThat(enter(session, BIG).kind()).isEqualTo(Kind.ADMITTED);
        }
        room.control(overrides);
    }
}
