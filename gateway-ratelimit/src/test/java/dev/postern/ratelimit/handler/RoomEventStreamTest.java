package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Method;
import dev.postern.core.testing.LeakExtension;
import dev.postern.ratelimit.handler.Door.Seen;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** People who wait with a stream of events, on a clock that the test moves. Two may use the site; absence is 20 s, idle 60 s. */
@ExtendWith(LeakExtension.class)
class RoomEventStreamTest {

    private final Door door = Door.room();

    @BeforeEach
    void fill() {
        for (int i = 0; i < 3; i++) {
            door.get("/").send().exchange().end();
        }
        door.channel.releaseInbound();
    }

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void saysThePlaceAtOnceAndAgainUntilHalfAnAbsenceIsOver() {
        Seen stream = stream(waiting().cookie());

        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.field("content-type")).isEqualTo("text/event-stream");
        assertThat(stream.field("cache-control")).isEqualTo("no-store");
        assertThat(stream.cookie()).startsWith("postern-ticket=");
        assertThat(stream.body())
                .startsWith("retry: 1000\ndata: {\"state\":\"waiting\",\"position\":1,")
                .endsWith("}\n\n");
        seconds(9);
        assertThat(events(stream)).isBetween(4, 9);
        assertThat(stream.exchange().ended()).isFalse();
        seconds(2);
        assertThat(stream.exchange().ended()).isTrue();
    }

    @Test
    void isASignOfLifeAndTellsTheTurn() {
        String cookie = waiting().cookie();
        seconds(5); // so that the turn doesn't come when the stream would end anyway
        Seen stream = stream(cookie);
        for (int i = 0; i < 70 && !stream.body().contains("admitted"); i++) {
            seconds(1);
            if (stream.exchange().ended() && !stream.body().contains("admitted")) {
                stream = stream(stream.cookie());
            }
        }

        assertThat(stream.body()).contains("{\"state\":\"admitted\"");
        assertThat(stream.exchange().ended()).isTrue();
        assertThat(door.get("/").cookie(cookie).send().passed()).isTrue();
    }

    @Test
    void eachTabHasOne() {
        String cookie = waiting().cookie();
        Seen first = stream(cookie);
        Seen second = stream(cookie);
        seconds(5);

        assertThat(events(first)).isGreaterThan(1);
        assertThat(events(second)).isGreaterThan(1);
        assertThat(door.limits.state().get(0).waiting()).isEqualTo(1);
    }

    @Test
    void asksNoMoreForAClientThatLeft() {
        Seen stream = stream(waiting().cookie());
        stream.exchange().end();
        int told = events(stream);
        double asked = decisions();
        seconds(9);

        assertThat(events(stream)).isEqualTo(told);
        assertThat(decisions()).as("asked of the room").isEqualTo(asked);
        seconds(15);
        assertThat(door.limits.state().get(0).waiting())
                .as("the absent one is gone")
                .isZero();
    }

    @Test
    void withoutATicketThereIsNothingToWaitFor() {
        Seen stream = stream("");

        assertThat(stream.field("content-type")).isEqualTo("text/event-stream");
        assertThat(stream.body()).contains("{\"state\":\"lapsed\"");
        assertThat(stream.exchange().ended()).isTrue();
    }

    @Test
    void onlyGetOpensOne() {
        Seen head = door.request(Method.HEAD, "/.postern/room/site")
                .with("accept", "text/event-stream")
                .cookie(waiting().cookie())
                .poll();

        assertThat(head.field("content-type")).isEqualTo("application/json");
        assertThat(head.exchange().ended()).isTrue();
    }

    private Seen waiting() {
        Seen waiting = door.get("/").send();
        assertThat(waiting.status()).isEqualTo(503);
        return waiting;
    }

    private Seen stream(String cookie) {
        return door.get("/.postern/room/site")
                .with("accept", "text/event-stream")
                .cookie(cookie)
                .poll();
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            door.advance(Duration.ofSeconds(1));
        }
    }

    private double decisions() {
        return door.registry.find("postern.room.decisions").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static int events(Seen stream) {
        return stream.body().split("data: ", -1).length - 1;
    }
}
