package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomKey;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests how many requests of a report are pending, and when a room counts as reported. */
class RoomRecoveryTest {

    private static final RoomKey ROOM = new RoomKey("site", "site", new RoomRules(1, 1, 1, 1, 1, null));

    private final Queue<Consumer<AdmissionDecision>> pending = new ArrayDeque<>();
    private final RoomRecovery recovery = new RoomRecovery((room, request, response) -> pending.add(response));
    private int reported;

    private void begin(int requests) {
        AdmissionRequest keep = AdmissionRequest.of(Intent.KEEP, "s", Claim.NONE);
        recovery.begin(ROOM, () -> Collections.nCopies(requests, keep), () -> reported++);
    }

    private void respond(AdmissionDecision decision) {
        pending.remove().accept(decision);
    }

    private void respondToAll() {
        while (!pending.isEmpty()) {
            respond(AdmissionDecision.limit(true, 0));
        }
    }

    @Test
    void aNodeThatKnowsNothingHasReported() {
        begin(0);
        assertThat(reported).isEqualTo(1);
    }

    @Test
    void sendsALimitedNumberAtATime() {
        begin(RoomRecovery.MAX_PENDING + 1);
        assertThat(pending).hasSize(RoomRecovery.MAX_PENDING);
        respond(AdmissionDecision.limit(true, 0));
        assertThat(pending).as("one more for each response").hasSize(RoomRecovery.MAX_PENDING);
        assertThat(reported).isZero();
        respondToAll();
        assertThat(reported).isEqualTo(1);
    }

    @Test
    void aRoomHasOneReportAtATime() {
        begin(1);
        begin(1);
        assertThat(pending).hasSize(1);
        respondToAll();
        begin(1);
        assertThat(pending).as("after the first report").hasSize(1);
    }

    @Test
    void aReportWithARequestThatFailedDoesNotCount() {
        begin(RoomRecovery.MAX_PENDING + 5);
        respond(AdmissionDecision.unknown(1));
        assertThat(pending).as("sends nothing more").hasSize(RoomRecovery.MAX_PENDING - 1);
        respondToAll();
        assertThat(reported).isZero();
        begin(1);
        respondToAll();
        assertThat(reported).as("another attempt").isEqualTo(1);
    }

    @Test
    void aResponseBeforeSendReturnsIsNoSecondReport() {
        RoomRecovery immediate =
                new RoomRecovery((room, request, response) -> response.accept(AdmissionDecision.limit(true, 0)));
        AdmissionRequest keep = AdmissionRequest.of(Intent.KEEP, "s", Claim.NONE);
        immediate.begin(ROOM, () -> List.of(keep, keep), () -> reported++);
        assertThat(reported).isEqualTo(1);
    }
}
