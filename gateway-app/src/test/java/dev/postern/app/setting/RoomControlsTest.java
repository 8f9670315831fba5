package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests changes of a room while clients wait in it: {@code PATCH /rooms/NAME}. */
class RoomControlsTest {

    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path folder;

    private Path token = Path.of("");

    @BeforeEach
    void writeToken() throws IOException {
        token = Files.writeString(folder.resolve("token"), TOKEN);
    }

    /** Returns a site with a room of one active session and almost no base rate. */
    private MemorySite room(String keys, String... settings) {
        return MemorySite.with(
                List.of(
                        "routes=[{upstream: app, token: off, rate-limit: site}]",
                        "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1, "
                                + keys + "}}]",
                        "admin.token-file=" + token),
                settings);
    }

    private static RawClient.Response patch(MemorySite site, String room, String json) {
        try (RawClient client = site.connect(site.gateway().admin())) {
            return client.send("PATCH /rooms/" + room + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN
                            + "\r\nContent-Length: " + json.length() + "\r\n\r\n" + json)
                    .read();
        }
    }

    private static String changed(MemorySite site, String json) {
        RawClient.Response response = patch(site, "site", json);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return response.body().replaceAll("\\s", "");
    }

    private static int bound(MemorySite site) {
        return site.meter("postern_room_bound{room=\"site\"}");
    }

    private static int status(MemorySite site) {
        return site.get("/").status();
    }

    @Test
    void aPausedRoomAdmitsNoClientUntilItIsOpenAgain() {
        try (MemorySite site = room("max-waiting: 10")) {
            assertThat(changed(site, "{\"mode\": \"paused\"}"))
                    .contains("\"mode\":\"paused\"", "\"since\":\"20", "\"stored\":true");
            assertThat(site.get("/").field("Postern-Queue-Position")).isEqualTo("1");
            assertThat(site.get("/").field("Postern-Queue-Position")).isEqualTo("2");
            assertThat(site.admin("/rooms").body().replaceAll("\\s", ""))
                    .contains("\"room\":\"site\",\"limit\":\"site\",\"waiting\":2,\"active\":0", "\"mode\":\"paused\"");

            changed(site, "{\"mode\": \"open\", \"active-sessions\": 5}");
            assertThat(site.get("/").status()).isEqualTo(200);
        }
    }

    /** So that it can be paused before it opens. */
    @Test
    void aRoomIsListedBeforeItsFirstClient() {
        try (MemorySite site = room("max-waiting: 10")) {
            assertThat(site.admin("/rooms").body().replaceAll("\\s", ""))
                    .isEqualTo("[{\"room\":\"site\",\"limit\":\"site\",\"waiting\":0,\"active\":0,\"bound\":1,"
                            + "\"max-waiting\":10,\"controls\":{\"mode\":\"open\"}}]");
            assertThat(changed(site, "{\"active-sessions\": 3}")).contains("\"active-sessions\":3");
            assertThat(site.admin("/rooms").body().replaceAll("\\s", "")).contains("\"bound\":3");
        }
    }

    @Test
    void modesLetAllClientsQueueOrNone() {
        try (MemorySite site = room("max-waiting: 10")) {
            changed(site, "{\"mode\": \"draining\"}");
            assertThat(site.get("/").body()).contains("room-full");
            changed(site, "{\"mode\": \"everybody-queues\"}");
            assertThat(status(site)).as("takes the one slot").isEqualTo(200);
            assertThat(status(site)).isEqualTo(503);
            changed(site, "{\"mode\": null}");
            assertThat(status(site))
                    .as("the base rate allows one, but another client waits")
                    .isEqualTo(503);
        }
    }

    @Test
    void boundAndRateAreChangedAndReset() {
        try (MemorySite site = room("max-waiting: 10")) {
            assertThat(changed(site, "{\"rate\": \"1000/s\"}")).contains("\"rate\":\"1000/s\"");
            for (int i = 0; i < 5; i++) {
                site.pass(Duration.ofMillis(1));
                assertThat(status(site)).isEqualTo(200);
            }
            assertThat(site.admin("/rooms").body().replaceAll("\\s", "")).contains("\"waiting\":0,\"active\":0");
            assertThat(bound(site)).isEqualTo(1);
            changed(site, "{\"rate\": null, \"active-sessions\": 2, \"mode\": \"everybody-queues\"}");
            assertThat(bound(site)).isEqualTo(2);
            assertThat(status(site)).isEqualTo(200);
            assertThat(status(site)).isEqualTo(200);
            assertThat(status(site)).isEqualTo(503);
            assertThat(changed(site, "{\"active-sessions\": null}")).doesNotContain("active-sessions");
            assertThat(bound(site)).isEqualTo(1);
        }
    }

    @Test
    void wrongChangesAreRefusedWithAllTheirProblems() {
        try (MemorySite site = room("max-waiting: 10")) {
            RawClient.Response wrong = patch(
                    site,
                    "site",
                    "{\"mode\": \"closed\", \"active-sessions\": 0, \"rate\": \"fast\", \"opens-at\": 5, \"x\": 1}");
            assertThat(wrong.status()).isEqualTo(400);
            assertThat(wrong.body())
                    .contains("(expected: open | everybody-queues | paused | draining)")
                    .contains("active-sessions: 0 (expected: 1..1000000, or null)")
                    .contains("(expected: a rate such as 10/s, 600/m or 5000/h)")
                    .contains("opens-at: 5 (expected: an instant such as")
                    .contains("x: 1 (expected: one of active-sessions, mode, opens-at, rate)");
            assertThat(patch(site, "site", "nonsense").body()).contains("expected: a JSON object");
            assertThat(patch(site, "site", "[]").status()).isEqualTo(400);
            assertThat(patch(site, "unknown", "{\"mode\": \"paused\"}").status())
                    .isEqualTo(404);
            assertThat(patch(site, "site~AAAAAAAAAAAAAAAA", "{\"mode\": \"paused\"}")
                            .status())
                    .isEqualTo(404);
            assertThat(status(site)).as("nothing was changed").isEqualTo(200);
        }
    }

    @Test
    void roomsOfHostsAreChangedOneByOne() {
        String route = "{host: %s.example, upstream: app, token: off, rate-limit: site}";
        String routes = "routes=[" + route.formatted("one") + ", " + route.formatted("two") + "]";
        try (MemorySite site = room("room-per: host", routes)) {
            assertThat(site.get("/", "Host: one.example").status()).isEqualTo(200);
            String room = site.admin("/rooms").body().replaceAll("(?s).*\"room\" : \"(site~[^\"]*)\".*", "$1");
            assertThat(patch(site, room, "{\"mode\": \"draining\"}").status()).isEqualTo(200);
            assertThat(site.get("/", "Host: one.example").body()).contains("room-full");
            assertThat(site.get("/", "Host: two.example").status()).isEqualTo(200);
        }
    }
}
