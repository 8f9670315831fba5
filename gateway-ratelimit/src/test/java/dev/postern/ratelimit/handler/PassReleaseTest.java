package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.ResponseHead;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the upstream or the client ends a pass early. Two sessions may use the site at once, for 60 s after their last request. */
class PassReleaseTest {

    private static final FieldName ROOM = FieldName.of("postern-room");

    private final AdmissionFixture stage = AdmissionFixture.room();
    private String first = "";

    @BeforeEach
    void fillTheRoom() {
        assertThat(stage.get("/").send().passed()).as("on the base rate").isTrue();
        first = admitted().cookie();
        admitted();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private AdmissionResult admitted() {
        AdmissionResult seen = stage.get("/").send();
        assertThat(seen.passed()).isTrue();
        seen.exchange().end();
        return seen;
    }

    private ResponseHead responded(String cookie, String fieldValue) {
        AdmissionResult seen = stage.get("/").cookie(cookie).send();
        assertThat(seen.passed()).isTrue();
        ResponseHead head = new ResponseHead();
        head.add(ROOM, fieldValue);
        seen.exchange().upstreamResponded(head);
        seen.exchange().end();
        return head;
    }

    @Test
    void upstreamFieldEndsThePassAndIsRemoved() {
        assertThat(responded(first, "leave").has(ROOM)).isFalse();

        assertThat(stage.get("/").cookie(first).send().status()).isEqualTo(503);
        assertThat(stage.get("/").send().status())
                .as("the slot is not free yet")
                .isEqualTo(503);
        stage.advance(Duration.ofSeconds(61));
        assertThat(stage.get("/").send().passed()).isTrue();
    }

    @Test
    void forwardsOtherValuesOfTheUpstreamField() {
        assertThat(responded(first, "stay").has(ROOM)).isTrue();

        assertThat(stage.get("/").cookie(first).send().passed()).isTrue();
    }

    @Test
    void deleteRequestEndsThePass() {
        AdmissionResult gone = stage.request(Method.DELETE, "/.postern/room/site")
                .cookie(first)
                .poll();

        assertThat(gone.body()).contains("\"state\":\"lapsed\"");
        assertThat(stage.get("/").cookie(first).send().status()).isEqualTo(503);
    }

    @Test
    void deleteRequestEndsTheTicket() {
        AdmissionResult waiting = stage.get("/").send();
        AdmissionResult behind = stage.get("/").send();
        assertThat(behind.field("postern-queue-position")).isEqualTo("2");

        stage.request(Method.DELETE, "/.postern/room/site")
                .cookie(waiting.cookie())
                .poll();

        assertThat(stage.get("/").cookie(behind.cookie()).send().field("postern-queue-position"))
                .isEqualTo("1");
    }

    @Test
    void deleteRequestOfAnotherAgentEndsNothing() {
        stage.request(Method.DELETE, "/.postern/room/site")
                .cookie(first)
                .with("user-agent", "other")
                .poll();

        assertThat(stage.get("/").cookie(first).send().passed()).isTrue();
    }

    @Test
    void deleteRequestFromTheFifthNetworkEndsNothing() {
        for (String address : new String[] {"198.51.100.1", "198.51.101.1", "198.51.102.1"}) {
            assertThat(stage.get("/").cookie(first).from(address).send().passed())
                    .isTrue();
        }
        stage.request(Method.DELETE, "/.postern/room/site")
                .cookie(first)
                .from("198.51.103.1")
                .poll();
        assertThat(stage.get("/").cookie(first).send().passed()).isTrue();

        stage.request(Method.DELETE, "/.postern/room/site")
                .cookie(first)
                .from("198.51.102.1")
                .poll();
        assertThat(stage.get("/").cookie(first).send().passed())
                .as("after a request from the fourth")
                .isFalse();
    }
}
