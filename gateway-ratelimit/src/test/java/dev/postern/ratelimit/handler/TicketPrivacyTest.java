package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.handler.AdmissionFixture.Request;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verifies that no upstream sees a ticket: the cookie alone is sufficient to use its position. */
class TicketPrivacyTest {

    private final AdmissionFixture stage =
            new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 2));

    @AfterEach
    void close() {
        stage.close();
    }

    private static @Nullable String cookies(Request request) {
        AdmissionResult seen = request.send();
        assertThat(seen.passed()).isTrue();
        return seen.exchange().request().joined(FieldName.COOKIE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "postern-ticket=abc | -",
                "__Host-postern-ticket=abc | -",
                "a=1; postern-ticket=abc; b=2 | a=1; b=2",
                "a=1;postern-ticket=abc;  __Host-postern-ticket=d | a=1",
                "postern-ticket-AAAAAAAA=abc | -",
                "__Host-postern-ticket-AAAAAAAA=abc; a=1 | a=1",
                "postern-ticket-of_no_room=1; a=1; postern-ticket-=2; __Host-postern-ticket-x=; postern-ticket | a=1",
                "postern-tickets=1; postern-ticketAAAA=2 | postern-tickets=1; postern-ticketAAAA=2",
                "my-postern-ticket=abc | my-postern-ticket=abc",
                "a=postern-ticket;  b=2 | a=postern-ticket;  b=2",
            })
    void isRemovedFromTheCookies(String sent, String left) {
        assertThat(cookies(stage.get("/").cookie(sent))).isEqualTo(left);
    }

    @Test
    void isRemovedWhereNoRoomIs() {
        assertThat(cookies(stage.get("/").limit(null).cookie("postern-ticket=abc")))
                .isNull();
        assertThat(cookies(stage.get("/health").cookie("postern-ticket=abc"))).isNull();
        assertThat(cookies(stage.get("/").from("192.0.2.1").cookie("postern-ticket=abc")))
                .isNull();
    }

    @Test
    void isRemovedFromPreflights() {
        assertThat(cookies(stage.request(Method.OPTIONS, "/")
                        .with("origin", "https://a.example")
                        .with("access-control-request-method", "PUT")
                        .cookie("postern-ticket=abc")))
                .isNull();
    }

    @Test
    void isReadBeforeItIsRemoved() {
        stage.get("/").send();
        stage.get("/").send();
        String pass = stage.get("/").send().cookie();
        for (int i = 0; i < 3; i++) {
            assertThat(cookies(stage.get("/").cookie("a=1; " + pass))).isEqualTo("a=1");
        }
    }
}
