package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients whose address or agent changes, in a full room with two passes. */
class ClientChangeTest {

    private static final String CHROME =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.92 Safari/537.36";

    private AdmissionFixture stage = new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 2));
    private final CookieJar holder = new CookieJar();
    private final CookieJar waiting = new CookieJar();

    @AfterEach
    void close() {
        stage.close();
    }

    /** Gives one pass to {@link #holder} and one to another client, and the first place to {@link #waiting}. */
    private void fill(String address) {
        assertThat(visit(new CookieJar(), address).passed()).as("the base rate").isTrue();
        assertThat(visit(holder, address).passed()).isTrue();
        assertThat(visit(new CookieJar(), address).passed()).isTrue();
        assertThat(visit(waiting, address).field("postern-queue-position")).isEqualTo("1");
    }

    private AdmissionResult visit(CookieJar jar, String address) {
        return visit(jar, address, CHROME);
    }

    private AdmissionResult visit(CookieJar jar, String address, String agent) {
        AdmissionResult result = stage.get("/")
                .from(address)
                .with("user-agent", agent)
                .cookie(jar.cookie())
                .send();
        return jar.store(result);
    }

    @Test
    void placeAndPassSurviveAChangeOfAddress() {
        fill("203.0.113.7");
        for (String address : List.of("198.51.100.20", "2001:db8:1:200::9", "203.0.113.7")) {
            assertThat(visit(holder, address).passed()).as(address).isTrue();
            assertThat(visit(waiting, address).field("postern-queue-position"))
                    .as(address)
                    .isEqualTo("1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
                "Mozilla/5.0 (Windows NT 11.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.117 Safari/537.36",
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
            })
    void placeAndPassSurviveAnUpdateOfTheBrowser(String agent) {
        fill("203.0.113.7");

        assertThat(visit(holder, "203.0.113.7", agent).passed()).isTrue();
        assertThat(visit(waiting, "203.0.113.7", agent).field("postern-queue-position"))
                .isEqualTo("1");
        assertThat(stage.get("/")
                        .with("user-agent", agent)
                        .with("sec-ch-ua", "\"Chromium\";v=\"131\"")
                        .cookie(holder.cookie())
                        .send()
                        .passed())
                .as("with client hints, which most clients do not send")
                .isTrue();
    }

    @Test
    void otherAgentsCannotUseThePass() {
        fill("203.0.113.7");
        for (String agent : List.of(
                "curl/8.5.0",
                "python-requests/2.32",
                "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
                "")) {
            AdmissionResult seen = stage.get("/")
                    .with("user-agent", agent)
                    .cookie(holder.cookie())
                    .send();
            assertThat(seen.passed()).as(agent).isFalse();
        }
    }

    @Test
    void addressCountsWhereConfigured() {
        stage.close();
        stage = new AdmissionFixture(
                KeyRing.random(), AdmissionFixture.roomLimit("site", 2, ClientBinding.ADDRESS, ClientBinding.AGENT));
        fill("203.0.113.7");

        assertThat(visit(holder, "203.0.113.200").passed())
                .as("the same network")
                .isTrue();
        assertThat(stage.get("/")
                        .from("203.0.112.7")
                        .with("user-agent", CHROME)
                        .cookie(holder.cookie())
                        .send()
                        .passed())
                .isFalse();
    }

    @Test
    void fifthNetworkIsAnUnknownClient() {
        fill("203.0.113.7");
        String oldest = holder.cookie();
        for (String address : List.of("198.51.100.1", "198.51.101.1", "2001:db8:1::1")) {
            assertThat(visit(holder, address).passed()).as(address).isTrue();
        }

        AdmissionResult fifth = stage.get("/")
                .from("192.0.3.1")
                .with("user-agent", CHROME)
                .cookie(holder.cookie())
                .send();

        assertThat(fifth.passed()).isFalse();
        assertThat(fifth.status()).isEqualTo(503);
        assertThat(fifth.exchange().outcome().refusal()).isEqualTo(Refusal.WAITING);
        assertThat(fifth.exchange().outcome().reason()).isEqualTo("pass-networks");
        assertThat(fifth.field("postern-queue-position")).isEqualTo("2");
        assertThat(fifth.cookie()).isNotEqualTo(holder.cookie()).startsWith("postern-ticket-");
        assertThat(from("192.0.3.1", oldest).passed()).as("with an old cookie").isFalse();
        for (String address : List.of("203.0.113.250", "198.51.100.77", "198.51.101.3", "2001:db8:1:ff::5")) {
            assertThat(from(address, oldest).passed())
                    .as("one of the four: %s", address)
                    .isTrue();
        }
        assertThat(from("2001:db8:1:100::1", oldest).passed()).as("another /56").isFalse();
    }

    /** Verifies that a part of a page gets what an unknown client gets: no place. */
    @Test
    void partsOfAPageFromTheFifthNetworkTakeNoPlace() {
        fill("203.0.113.7");
        for (String address : List.of("198.51.100.1", "198.51.101.1", "198.51.102.1")) {
            assertThat(visit(holder, address).passed()).isTrue();
        }
        AdmissionResult part = stage.get("/a.css")
                .from("198.51.103.1")
                .with("user-agent", CHROME)
                .with("sec-fetch-mode", "no-cors")
                .cookie(holder.cookie())
                .send();

        assertThat(part.status()).isEqualTo(429);
        assertThat(part.exchange().outcome().reason()).isEqualTo("pass-networks");
        assertThat(part.setCookies()).isEmpty();
    }

    @Test
    void aNewPassHasFourNetworksAgain() {
        fill("203.0.113.7");
        for (String address : List.of("198.51.100.1", "198.51.101.1", "198.51.102.1")) {
            AdmissionResult used = visit(holder, address);
            assertThat(used.passed()).isTrue();
            used.exchange().end();
        }
        stage.advance(Duration.ofMinutes(11));
        stage.advance(Duration.ofSeconds(1));
        assertThat(visit(new CookieJar(), "203.0.113.7").passed())
                .as("the base rate")
                .isTrue();

        assertThat(visit(holder, "203.0.113.7").passed()).as("admitted anew").isTrue();
        assertThat(visit(new CookieJar(), "203.0.113.7").passed())
                .as("the other slot")
                .isTrue();
        for (String address : List.of("192.0.3.1", "192.0.4.1", "192.0.5.1")) {
            assertThat(visit(holder, address).passed()).as(address).isTrue();
        }
        assertThat(from("192.0.6.1", holder.cookie()).passed()).isFalse();
    }

    /** Verifies what a farm gets from one pass, beside honest clients: four networks and one budget. */
    @Test
    void farmWithOneCookieGetsFourNetworksAndOneBudget() {
        stage.close();
        stage = new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 2, "10/s"));
        fill("203.0.113.7");
        int served = 0;
        for (int request = 0; request < 10; request++) {
            for (int network = 0; network < 100; network++) {
                AdmissionResult result = from("10." + network + ".0.1", holder.cookie());
                served += result.passed() ? 1 : 0;
                result.exchange().end();
            }
        }
        assertThat(served).as("of 1,000 requests at once").isLessThanOrEqualTo(11);
        assertThat(visit(waiting, "203.0.113.7").field("postern-queue-position"))
                .as("an honest client")
                .isEqualTo("1");
    }

    /** Verifies that the token that opened the ticket does not open another one for the fifth network. */
    @Test
    void tokenOfTheTicketDoesNotHelpTheFifthNetwork() {
        fill("203.0.113.7");
        Credential token = Credential.of(new byte[16], new Credential.Session(null));
        String place = stage.get("/")
                .credential(token)
                .with("user-agent", CHROME)
                .send()
                .cookie();
        holder.store(visit(holder, "203.0.113.7"));
        for (String address : List.of("198.51.100.1", "198.51.101.1", "198.51.102.1")) {
            assertThat(visit(holder, address).passed()).isTrue();
        }
        AdmissionResult fifth = stage.get("/")
                .from("198.51.103.1")
                .with("user-agent", CHROME)
                .credential(token)
                .cookie(holder.cookie())
                .send();

        assertThat(place).isNotEmpty();
        assertThat(fifth.status()).isEqualTo(429);
        assertThat(fifth.exchange().outcome().reason()).isEqualTo("pass-networks");
    }

    private AdmissionResult from(String address, String cookie) {
        return stage.get("/")
                .from(address)
                .with("user-agent", CHROME)
                .cookie(cookie)
                .send();
    }
}
