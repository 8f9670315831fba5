package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomState;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests several rooms on one host: six with three active sessions each, and more. */
class SeveralRoomsTest {

    private static final int ROOMS = 6;
    private static final int ACTIVE = 3;
    private static final int MANY = 40;

    private final AdmissionFixture stage = new AdmissionFixture(
            KeyRing.random(),
            IntStream.range(0, MANY)
                    .mapToObj(i -> AdmissionFixture.roomLimit("room" + i, ACTIVE))
                    .toArray(RateLimitRule[]::new));

    @AfterEach
    void close() {
        stage.close();
    }

    /** Requests a page of a room. */
    private AdmissionResult visit(CookieJar jar, int room) {
        AdmissionResult result =
                stage.get("/").limit("room" + room).cookie(jar.cookie()).send();
        result.exchange().end();
        return jar.store(result);
    }

    /** Uses up the base rate of each room. */
    private void useBaseRates(int rooms) {
        for (int room = 0; room < rooms; room++) {
            assertThat(visit(new CookieJar(), room).passed()).isTrue();
        }
    }

    private long active(int room) {
        return stage.limits.state().stream()
                .filter(state -> state.limit().equals("room" + room))
                .mapToLong(RoomState::active)
                .sum();
    }

    @Test
    void oneVisitorWhoWalksRoundTheRoomsHoldsOneSlotInEach() {
        useBaseRates(ROOMS);
        CookieJar visitor = new CookieJar();
        for (int lap = 0; lap < 2 * ACTIVE; lap++) {
            for (int room = 0; room < ROOMS; room++) {
                assertThat(visit(visitor, room).passed())
                        .as("lap %d, room %d", lap, room)
                        .isTrue();
                stage.channel.runPendingTasks();
            }
        }

        for (int room = 0; room < ROOMS; room++) {
            assertThat(active(room)).as("room %d", room).isEqualTo(1);
            assertThat(visit(new CookieJar(), room).passed())
                    .as("another visitor in room %d", room)
                    .isTrue();
        }
        assertThat(visitor.size()).isEqualTo(ROOMS);
    }

    @Test
    void visitorKeepsItsPlacesInAllRooms() {
        useBaseRates(ROOMS);
        for (int i = 0; i < ROOMS * ACTIVE; i++) {
            assertThat(visit(new CookieJar(), i % ROOMS).passed()).isTrue();
        }
        CookieJar honest = new CookieJar();
        for (int room = 0; room < ROOMS; room++) {
            assertThat(visit(honest, room).field("postern-queue-position")).isEqualTo("1");
        }
        for (int room = 0; room < ROOMS; room++) {
            assertThat(visit(new CookieJar(), room).field("postern-queue-position"))
                    .as("a later visitor")
                    .isEqualTo("2");
        }
        for (int room = 0; room < ROOMS; room++) {
            assertThat(visit(honest, room).field("postern-queue-position"))
                    .as("room %d", room)
                    .isEqualTo("1");
            assertThat(stage.get("/.postern/room/room" + room)
                            .cookie(honest.cookie())
                            .poll()
                            .body())
                    .startsWith("{\"state\":\"waiting\",\"position\":1,");
        }
    }

    /** Verifies that cookies stay below the limits of servers, and that a visitor without space for a cookie takes no slot. */
    @Test
    void visitorOfManyRoomsIsToldToWaitInsteadOfGettingMoreCookies() {
        useBaseRates(MANY);
        CookieJar visitor = new CookieJar();
        int admitted = 0;
        while (admitted < MANY && visit(visitor, admitted).passed()) {
            admitted++;
            assertThat(visitor.cookie().length()).isLessThanOrEqualTo(4096);
        }
        assertThat(admitted).isBetween(20, 30);
        AdmissionResult refused = visit(visitor, admitted);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.exchange().outcome().refusal()).isEqualTo(Refusal.RATE_LIMITED);
        assertThat(refused.exchange().outcome().reason()).isEqualTo("many-rooms");
        assertThat(refused.setCookies()).isEmpty();
        assertThat(active(admitted)).isZero();
        assertThat(visit(visitor, 0).passed()).as("a room that it has").isTrue();

        for (int i = 0; i < 100; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
        useBaseRates(MANY);
        AdmissionResult later = visit(visitor, admitted);
        assertThat(later.passed()).as("after the end of its passes").isTrue();
        assertThat(later.setCookies()).hasSize(2).anyMatch(set -> set.contains("=; Path=/; Max-Age=0;"));
    }
}
