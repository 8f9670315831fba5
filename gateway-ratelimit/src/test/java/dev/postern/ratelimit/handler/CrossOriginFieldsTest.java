package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which scripts of other origins may read a place: those that the route permits, and no others. */
class CrossOriginFieldsTest {

    private static final String ORIGIN = "access-control-allow-origin";
    private static final String CREDENTIALS = "access-control-allow-credentials";
    private static final String SHOP = "https://www.shop.example";

    private final AdmissionFixture stage = AdmissionFixture.room();
    private String cookie = "";

    @BeforeEach
    void waitForATurn() {
        for (int i = 0; i < 3; i++) {
            AdmissionResult seen = stage.get("/").send();
            assertThat(seen.passed()).isTrue();
            seen.exchange().end();
        }
        cookie = stage.get("/").send().cookie();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private AdmissionFixture.Request from(String origin) {
        return stage.get("/.postern/room/site").cookie(cookie).with("origin", origin);
    }

    private void permit(String origin) {
        stage.responseFields(Map.of(ORIGIN, origin, CREDENTIALS, "true", "x-frame-options", "deny"));
    }

    @Test
    void aScriptOfThePermittedOriginReadsItsPlace() {
        permit(SHOP);
        AdmissionResult poll = from(SHOP).poll();
        assertThat(poll.body()).startsWith("{\"state\":\"waiting\",\"position\":1,");
        assertThat(poll.field(ORIGIN)).isEqualTo(SHOP);
        assertThat(poll.field(CREDENTIALS)).isEqualTo("true");
        assertThat(poll.field("x-frame-options")).isEmpty();
    }

    @Test
    void itReadsTheWaitingResponseToo() {
        permit(SHOP);
        AdmissionResult waiting =
                stage.get("/").cookie(cookie).with("origin", SHOP).send();
        assertThat(waiting.status()).isEqualTo(503);
        assertThat(waiting.field(ORIGIN)).isEqualTo(SHOP);
    }

    @Test
    void noOtherOriginIsPermitted() {
        permit(SHOP);
        assertThat(from("https://evil.example").poll().field(ORIGIN)).isEmpty();
        assertThat(from("null").poll().field(ORIGIN)).isEmpty();
        assertThat(from(SHOP + ".evil.example").poll().field(ORIGIN)).isEmpty();
        assertThat(from(SHOP).with("origin", "https://evil.example").poll().field(ORIGIN))
                .as("two origins")
                .isEmpty();
        assertThat(stage.get("/.postern/room/site").cookie(cookie).poll().field(ORIGIN))
                .isEmpty();
    }

    @Test
    void nothingIsPermittedThatTheRouteDoesNotPermit() {
        assertThat(from(SHOP).poll().field(ORIGIN)).isEmpty();
        permit(SHOP);
        assertThat(from(SHOP).limit("other").poll().field(ORIGIN))
                .as("a route of another limit")
                .isEmpty();
        assertThat(from(SHOP).pattern("other.example").poll().field(ORIGIN))
                .as("of another host")
                .isEmpty();
        assertThat(from(SHOP).pattern("*.example").poll().field(ORIGIN)).isEqualTo(SHOP);
        assertThat(from(SHOP).pattern("shop.example").poll().field(ORIGIN)).isEqualTo(SHOP);
    }

    @Test
    void anyOriginIsPermittedWhereTheRouteDoes() {
        permit("*");
        assertThat(from("https://a.example").poll().field(ORIGIN)).isEqualTo("*");
    }

    @Test
    void aStreamHasTheFieldsToo() {
        permit(SHOP);
        AdmissionResult stream = from(SHOP).with("accept", "text/event-stream").poll();
        assertThat(stream.exchange().responseFields())
                .anySatisfy(field -> assertThat(field.value()).isEqualTo(SHOP));
    }
}
