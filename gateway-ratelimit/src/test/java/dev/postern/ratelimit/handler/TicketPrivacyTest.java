package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.ratelimit.handler.Door.Request;
import dev.postern.ratelimit.handler.Door.Seen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ticket is between gateway and client: whoever holds the cookie holds the place, so that no upstream sees one. */
class TicketPrivacyTest {

    private final Door door = new Door(KeyRing.random(), Door.roomLimit("site", 2, null));

    @AfterEach
    void close() {
        door.close();
    }

    private static @Nullable String cookies(Request request) {
        Seen seen = request.send();
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
                "my-postern-ticket=abc | my-postern-ticket=abc",
                "a=postern-ticket;  b=2 | a=postern-ticket;  b=2",
            })
    void isTakenOutOfTheCookies(String sent, String left) {
        assertThat(cookies(door.get("/").cookie(sent))).isEqualTo(left);
    }

    @Test
    void isTakenOutWhereNoRoomIs() {
        assertThat(cookies(door.get("/").limit(null).cookie("postern-ticket=abc")))
                .isNull();
        assertThat(cookies(door.get("/health").cookie("postern-ticket=abc"))).isNull();
        assertThat(cookies(door.get("/").from("192.0.2.1").cookie("postern-ticket=abc")))
                .isNull();
    }

    @Test
    void isTakenOutOfPreflightsToo() {
        assertThat(cookies(door.request(Method.OPTIONS, "/")
                        .with("origin", "https://a.example")
                        .with("access-control-request-method", "PUT")
                        .cookie("postern-ticket=abc")))
                .isNull();
    }

    @Test
    void isReadBeforeItIsTakenOut() {
        door.get("/").send();
        door.get("/").send();
        String pass = door.get("/").send().cookie();
        for (int i = 0; i < 3; i++) {
            assertThat(cookies(door.get("/").cookie("a=1; " + pass))).isEqualTo("a=1");
        }
    }
}
