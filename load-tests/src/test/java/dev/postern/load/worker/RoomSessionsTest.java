package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.Room;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoomSessionsTest {
    private static final long NOW = 1_000_000_000;
    private static final int SIZE = 200;

    @Test
    void fillsQueueBehindOnePass() {
        AdmissionDecision last = filled(RoomSessions.of("waiting", "200"), Kind.WAITING);

        assertThat(last.position()).isEqualTo(SIZE);
        assertThat(last.room().waiting()).isEqualTo(SIZE);
        assertThat(last.room().active()).isEqualTo(1);
    }

    @Test
    void fillsRoomWithPasses() {
        AdmissionDecision last = filled(RoomSessions.of("admitted", "200"), Kind.ADMITTED);

        assertThat(last.room().waiting()).isZero();
        assertThat(last.room().active()).isEqualTo(SIZE + 1);
    }

    @Test
    void recordedSessionsWaitAndSendInTurn() {
        RoomSessions sessions = RoomSessions.of("recorded", "200");
        assertThat(sessions.kind()).isEqualTo(Kind.WAITING);
        filled(sessions, sessions.kind());

        assertThat(sessions.again(SIZE, NOW, 0))
                .extracting(AdmissionRequest::session)
                .doesNotHaveDuplicates();
    }

    @Test
    void sendsOtherVisitsInEachTurn() {
        RoomSessions sessions = RoomSessions.of("waiting", "200");

        assertThat(sessions.again(SIZE, NOW, 1))
                .isEqualTo(sessions.again(SIZE, NOW, 1))
                .isNotEqualTo(sessions.again(SIZE, NOW, 2));
    }

    @Test
    void givesEverySessionADistinctName() {
        Set<String> names = new HashSet<>();
        for (int session = 0; session < 10_000; session++) {
            String name = RoomSessions.name(session);
            assertThat(name).matches("[A-Za-z0-9_-]{12}");
            names.add(name);
        }

        assertThat(names).hasSize(10_000);
    }

    private static AdmissionDecision filled(RoomSessions sessions, Kind expected) {
        Room room = new Room(sessions.key().rules(), NOW);
        assertThat(room.decide(sessions.enter(SIZE + 1), NOW).kind()).isEqualTo(Kind.BASE);
        assertThat(room.decide(sessions.first(), NOW).kind()).isEqualTo(Kind.ADMITTED);
        for (int session = 0; session < SIZE; session++) {
            assertThat(room.decide(sessions.enter(session), NOW).kind()).isEqualTo(expected);
        }
        for (AdmissionRequest request : sessions.again(500, NOW, 0)) {
            assertThat(room.decide(request, NOW + 1_000).kind()).isEqualTo(expected);
        }
        return room.decide(sessions.enter(SIZE - 1), NOW + 1_000);
    }
}
