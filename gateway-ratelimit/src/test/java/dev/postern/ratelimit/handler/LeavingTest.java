package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.ResponseHead;
import dev.postern.ratelimit.handler.Door.Seen;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People leave before their pass ends: the site says so, or they do. Two may use it at once, for 60 s after their last request. */
class LeavingTest {

    private static final FieldName ROOM = FieldName.of("postern-room");

    private final Door door = Door.room();
    private String first = "";

    @BeforeEach
    void fillTheRoom() {
        assertThat(door.get("/").send().passed()).as("on the base rate").isTrue();
        first = admitted().cookie();
        admitted();
    }

    @AfterEach
    void close() {
        door.close();
    }

    private Seen admitted() {
        Seen seen = door.get("/").send();
        assertThat(seen.passed()).isTrue();
        seen.exchange().end();
        return seen;
    }

    private ResponseHead responded(String cookie, String said) {
        Seen seen = door.get("/").cookie(cookie).send();
        assertThat(seen.passed()).isTrue();
        ResponseHead head = new ResponseHead();
        head.add(ROOM, said);
        seen.exchange().upstreamResponded(head);
        seen.exchange().end();
        return head;
    }

    @Test
    void whenTheSiteSaysSoThePassEndsAndTheClientIsNotTold() {
        assertThat(responded(first, "leave").has(ROOM)).isFalse();

        assertThat(door.get("/").cookie(first).send().status()).isEqualTo(503);
        assertThat(door.get("/").send().status()).as("the slot is not free yet").isEqualTo(503);
        door.advance(Duration.ofSeconds(61));
        assertThat(door.get("/").send().passed()).isTrue();
    }

    @Test
    void anythingElseThatTheSiteSaysIsNotOurs() {
        assertThat(responded(first, "stay").has(ROOM)).isTrue();

        assertThat(door.get("/").cookie(first).send().passed()).isTrue();
    }

    @Test
    void whoSaysGoodbyeGivesUpThePass() {
        Seen gone =
                door.request(Method.DELETE, "/.postern/room/site").cookie(first).poll();

        assertThat(gone.body()).contains("\"state\":\"lapsed\"");
        assertThat(door.get("/").cookie(first).send().status()).isEqualTo(503);
    }

    @Test
    void whoSaysGoodbyeGivesUpThePlace() {
        Seen waiting = door.get("/").send();
        Seen behind = door.get("/").send();
        assertThat(behind.field("postern-queue-position")).isEqualTo("2");

        door.request(Method.DELETE, "/.postern/room/site")
                .cookie(waiting.cookie())
                .poll();

        assertThat(door.get("/").cookie(behind.cookie()).send().field("postern-queue-position"))
                .isEqualTo("1");
    }

    @Test
    void aStrangersGoodbyeEndsNothing() {
        door.request(Method.DELETE, "/.postern/room/site")
                .cookie(first)
                .from("198.51.100.1")
                .poll();

        assertThat(door.get("/").cookie(first).send().passed()).isTrue();
    }
}
