package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verifies that a modified cookie gains nothing in a full room with two passes: its client gets a new ticket at the end of the queue. */
class CookieAttackTest {

    private static final String COMMON = "postern-ticket";

    private final String oldLine = KeyRing.newLine();
    private final String newLine = KeyRing.newLine();
    private final AdmissionFixture stage = new AdmissionFixture(
            KeyRing.of(List.of(newLine, oldLine)),
            AdmissionFixture.roomLimit("site", 2),
            AdmissionFixture.roomLimit("other", 2));
    private String pass = "";
    private String name = "";
    private String sealed = "";

    @BeforeEach
    void fillRoom() {
        stage.get("/").send().passed();
        stage.get("/").send().passed();
        AdmissionResult holder = stage.get("/").send();
        assertThat(holder.passed()).isTrue();
        pass = holder.cookie();
        name = pass.substring(0, pass.indexOf('=') + 1);
        sealed = pass.substring(name.length());
        assertThat(stage.get("/").cookie(pass).send().passed()).isTrue();
        stage.get("/").send(); // one client waits, so that no request passes on the base rate
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void forgedCookiesGainNothing() {
        int tried = 0;
        for (String cookie : forged()) {
            AdmissionResult seen = stage.get("/").cookie(cookie).send();
            assertThat(seen.passed()).as(cookie).isFalse();
            assertThat(seen.status()).as(cookie).isEqualTo(503);
            assertThat(seen.cookie())
                    .as("an unknown client gets a ticket of its own")
                    .isNotEqualTo(pass);
            assertThat(seen.field("postern-queue-position")).isEqualTo(Integer.toString(2 + tried));
            tried++;
        }
        assertThat(tried).isGreaterThanOrEqualTo(30);
    }

    private List<String> forged() {
        List<String> forged = new ArrayList<>();
        // not a cookie
        for (String junk : List.of(
                "", "x", "1", "null", "admin", "{site}:p", "*", "..", "%00", "site", "' OR 1=1", "\u00ff\u00fe")) {
            forged.add(name + junk);
        }
        // truncated, extended, doubled
        forged.add(name + sealed.substring(1));
        forged.add(name + sealed.substring(0, sealed.length() - 1));
        forged.add(name + sealed + "A");
        forged.add(name + sealed + "=");
        forged.add(name + sealed + sealed);
        forged.add(name + ".".repeat(200));
        // one character changed: key tag, nonce, session, ends, tag
        for (int offset : new int[] {0, 3, 14, 20, 40, 60, 80, sealed.length() - 2}) {
            char other = sealed.charAt(offset) == 'A' ? 'B' : 'A';
            forged.add(name + sealed.substring(0, offset) + other + sealed.substring(offset + 1));
        }
        // another spelling of the same bytes
        forged.add(name + lastCharacterRespelled());
        forged.add(name + sealed.replace('-', '+').replace('_', '/') + "==");
        // twice
        forged.add(name + sealed.substring(1) + "; " + name + "x");
        // oversized
        forged.add(name + "A".repeat(8000));
        forged.add(name + (sealed + ".").repeat(40));
        // under the names of other rooms, or of none
        forged.add(COMMON + "=" + sealed);
        forged.add(COMMON + "-=" + sealed);
        forged.add(COMMON + "-AAAAAAAA=" + sealed);
        forged.add(name.substring(0, name.length() - 2) + "=" + sealed);
        forged.add(name.replace("=", "A=") + sealed);
        // under other names
        forged.add("__Host-" + pass);
        forged.add("P" + pass.substring(1));
        forged.add("postern-session=" + sealed);
        return forged;
    }

    private String lastCharacterRespelled() {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int last = alphabet.indexOf(sealed.charAt(sealed.length() - 1));
        return sealed.substring(0, sealed.length() - 1) + alphabet.charAt(last ^ 1);
    }

    @Test
    void cookieOfAnotherAgentGainsNothing() {
        assertThat(stage.get("/")
                        .cookie(pass)
                        .with("user-agent", "other")
                        .send()
                        .passed())
                .isFalse();
        assertThat(stage.get("/").cookie(pass).from("198.51.100.7").send().passed())
                .as("another network")
                .isTrue();
    }

    @Test
    void goodCookieCountsBesideOthersOfItsName() {
        for (String beside : List.of("x", sealed.substring(1), lastCharacterRespelled(), "A".repeat(sealed.length()))) {
            assertThat(stage.get("/").cookie(name + beside + "; " + pass).send().passed())
                    .as(beside)
                    .isTrue();
            assertThat(stage.get("/").cookie(pass + "; " + name + beside).send().passed())
                    .as(beside)
                    .isTrue();
        }
        assertThat(stage.get("/")
                        .cookie((name + "x; ").repeat(60) + pass)
                        .send()
                        .passed())
                .isTrue();
    }

    @Test
    void cookieOfAnotherRoomGainsNothing() {
        assertThat(stage.get("/").limit("other").send().passed()).isTrue();
        assertThat(stage.get("/").limit("other").send().passed()).isTrue();
        assertThat(stage.get("/").limit("other").send().passed()).isTrue();
        assertThat(stage.get("/").limit("other").cookie(pass).send().passed()).isFalse();
    }

    @Test
    void ticketOfOneRoomLeavesThoseOfOthersAlone() {
        AdmissionResult other = stage.get("/").limit("other").cookie(pass).send();
        assertThat(other.setCookies()).hasSize(1);
        assertThat(other.cookie()).startsWith(COMMON + "-").doesNotStartWith(name);
        assertThat(stage.get("/").cookie(other.cookie() + "; " + pass).send().passed())
                .isTrue();
    }

    @Test
    void cookieOfRetiredKeyGainsNothing() {
        try (AdmissionFixture stranger =
                new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 1))) {
            String foreign = stranger.get("/").send().cookie();
            assertThat(stage.get("/").cookie(foreign).send().passed()).isFalse();
        }
        try (AdmissionFixture older =
                new AdmissionFixture(KeyRing.of(List.of(oldLine)), AdmissionFixture.roomLimit("site", 1))) {
            older.get("/").send().passed();
            String stillInRing = older.get("/").send().cookie();
            AdmissionResult seen = stage.get("/").cookie(stillInRing).send();
            assertThat(seen.passed())
                    .as("known by its key, but its pass is another process's")
                    .isFalse();
        }
    }

    @Test
    void pollWithForgedCookieHasNoSession() {
        for (String cookie : forged()) {
            assertThat(stage.get("/.postern/room/site").cookie(cookie).poll().body())
                    .containsPattern("^\\{\"state\":\"(lapsed|no-cookie)\"");
        }
    }
}
