package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Method;
import dev.postern.core.testing.LeakExtension;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests event streams of waiting clients with a manual clock. Two may use the site; absence is 20 s, idle 60 s. */
@ExtendWith(LeakExtension.class)
class RoomEventStreamTest {

    private final AdmissionFixture stage = AdmissionFixture.room();

    @BeforeEach
    void fill() {
        for (int i = 0; i < 3; i++) {
            stage.get("/").send().exchange().end();
        }
        stage.channel.releaseInbound();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void sendsThePositionAtOnceAndAgainUntilHalfAnAbsenceIsOver() {
        AdmissionResult stream = stream(waiting().cookie());

        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.field("content-type")).isEqualTo("text/event-stream");
        assertThat(stream.field("cache-control")).isEqualTo("no-store");
        assertThat(stream.cookie()).startsWith("postern-ticket-");
        assertThat(stream.body())
                .startsWith("retry: 1000\ndata: {\"state\":\"waiting\",\"position\":1,")
                .endsWith("}\n\n");
        seconds(9);
        assertThat(events(stream)).isBetween(4, 10);
        assertThat(stream.exchange().ended()).isFalse();
        seconds(2);
        assertThat(stream.exchange().ended()).isTrue();
    }

    @Test
    void keepsTheTicketAliveAndReportsAdmission() {
        String cookie = waiting().cookie();
        seconds(5); // so that the turn doesn't come when the stream would end anyway
        AdmissionResult stream = stream(cookie);
        for (int i = 0; i < 70 && !stream.body().contains("admitted"); i++) {
            seconds(1);
            if (stream.exchange().ended() && !stream.body().contains("admitted")) {
                stream = stream(stream.cookie());
            }
        }

        assertThat(stream.body()).contains("{\"state\":\"admitted\"");
        assertThat(stream.exchange().ended()).isTrue();
        assertThat(stage.get("/").cookie(cookie).send().passed()).isTrue();
    }

    /** Clients at the back, and those before an opening, are asked to come back after half an absence, as late as a stream ends. */
    @Test
    void aStreamThatEndsBeforeTheNextEventIsReopenedWhenThatEventIsDue() {
        for (int i = 0; i < 98; i++) {
            waiting();
        }
        AdmissionResult stream = stream(waiting().cookie());
        for (int i = 0; i < 12 && !stream.exchange().ended(); i++) {
            seconds(1);
        }

        assertThat(stream.exchange().ended()).isTrue();
        String last = stream.body().substring(stream.body().lastIndexOf("retry: "));
        long seconds = Long.parseLong(last.replaceAll("(?s).*\"retry-after\":(\\d+).*", "$1"));
        assertThat(seconds).isGreaterThan(1);
        assertThat(Long.parseLong(last.replaceAll("(?s)retry: (\\d+).*", "$1")))
                .as("milliseconds")
                .isBetween(seconds * 875 - 1, seconds * 1000);
    }

    @Test
    void eachTabHasOne() {
        String cookie = waiting().cookie();
        AdmissionResult first = stream(cookie);
        AdmissionResult second = stream(cookie);
        seconds(5);

        assertThat(events(first)).isGreaterThan(1);
        assertThat(events(second)).isGreaterThan(1);
        assertThat(stage.limits.state().get(0).waiting()).isEqualTo(1);
    }

    @Test
    void stopsPollingForAClientThatLeft() {
        AdmissionResult stream = stream(waiting().cookie());
        stream.exchange().end();
        int sent = events(stream);
        double asked = decisions();
        seconds(9);

        assertThat(events(stream)).isEqualTo(sent);
        assertThat(decisions()).as("decisions of the room").isEqualTo(asked);
        seconds(15);
        assertThat(stage.limits.state().get(0).waiting())
                .as("the absent ticket is removed")
                .isZero();
    }

    @Test
    void withoutATicketNoStreamOpens() {
        AdmissionResult stream = stream("");

        assertThat(stream.field("content-type")).isEqualTo("text/event-stream");
        assertThat(stream.body()).contains("{\"state\":\"no-cookie\"");
        assertThat(stream.exchange().ended()).isTrue();
    }

    @Test
    void onlyGetOpensOne() {
        AdmissionResult head = stage.request(Method.HEAD, "/.postern/room/site")
                .with("accept", "text/event-stream")
                .cookie(waiting().cookie())
                .poll();

        assertThat(head.field("content-type")).isEqualTo("application/json");
        assertThat(head.exchange().ended()).isTrue();
    }

    private AdmissionResult waiting() {
        AdmissionResult waiting = stage.get("/").send();
        assertThat(waiting.status()).isEqualTo(503);
        return waiting;
    }

    private AdmissionResult stream(String cookie) {
        return stage.get("/.postern/room/site")
                .with("accept", "text/event-stream")
                .cookie(cookie)
                .poll();
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
    }

    private double decisions() {
        return stage.registry.find("postern.room.decisions").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static int events(AdmissionResult stream) {
        return stream.body().split("data: ", -1).length - 1;
    }
}
