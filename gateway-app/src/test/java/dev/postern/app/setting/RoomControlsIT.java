package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests changes of a room while clients wait in it: {@code PATCH /rooms/NAME}. */
class RoomControlsIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path folder;

    private Path token = Path.of("");

    @BeforeEach
    void writeToken() throws IOException {
        token = Files.writeString(folder.resolve("token"), TOKEN);
    }

    /** Returns a site with a room of one active session and almost no base rate. */
    private Site room(String keys, String... settings) {
        return Site.with(
                List.of(
                        "routes=[{upstream: app, token: off, rate-limit: site}]",
                        "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1, "
                                + keys + "}}]",
                        "admin.token-file=" + token),
                settings);
    }

    private static RawClient.Response patch(Site site, String room, String json) {
        try (RawClient client = new RawClient(site.gateway().admin().getPort())) {
            return client.send("PATCH /rooms/" + room + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN
                            + "\r\nContent-Length: " + json.length() + "\r\n\r\n" + json)
                    .read();
        }
    }

    private static String changed(Site site, String json) {
        RawClient.Response response = patch(site, "site", json);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return response.body().replaceAll("\\s", "");
    }

    private static int bound(Site site) {
        return site.meter("postern_room_bound{room=\"site\"}");
    }

    private static int status(Site site) {
        return site.get("/").status();
    }

    @Test
    void aPausedRoomAdmitsNoClientUntilItIsOpenAgain() {
        try (Site site = room("max-waiting: 10")) {
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

    @Test
    void modesLetAllClientsQueueOrNone() {
        try (Site site = room("max-waiting: 10")) {
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
        try (Site site = room("max-waiting: 10")) {
            assertThat(changed(site, "{\"rate\": \"1000/s\"}")).contains("\"rate\":\"1000/s\"");
            for (int i = 0; i < 5; i++) {
                Awaitility.await().until(() -> status(site) == 200);
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
    void anOpeningIsSetAndMovedForward() {
        try (Site site = room("max-waiting: 10")) {
            String opens = Instant.now().plusSeconds(3600).toString().replaceAll("\\.[0-9]*Z", "Z");
            assertThat(changed(site, "{\"opens-at\": \"" + opens + "\"}")).contains("\"opens-at\":\"" + opens);
            RawClient.Response early = site.get("/");
            assertThat(early.status()).isEqualTo(503);
            assertThat(early.field("Postern-Queue-Position"))
                    .as("no position before the opening")
                    .isEmpty();
            assertThat(Integer.parseInt(early.field("Retry-After"))).isLessThanOrEqualTo(13);

            assertThat(early.body()).contains("\"state\":\"early\"", "\"position\":0");
            changed(site, "{\"opens-at\": \"now\"}");
            String ticket = Site.cookie(early);
            assertThat(site.get("/", "Cookie: " + ticket).status()).isEqualTo(200);
        }
        String past = "opens-at: \"2020-01-31T18:00:00Z\"";
        String future = "opens-at: \"2100-01-31T18:00:00Z\"";
        try (Site open = room(past);
                Site closed = room(future)) {
            assertThat(status(open)).isEqualTo(200);
            assertThat(status(closed)).isEqualTo(503);
        }
    }

    @Test
    void wrongChangesAreRefusedWithAllTheirProblems() {
        try (Site site = room("max-waiting: 10")) {
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
        try (Site site = room("room-per: host", routes)) {
            assertThat(site.get("/", "Host: one.example").status()).isEqualTo(200);
            String room = site.admin("/rooms").body().replaceAll("(?s).*\"room\" : \"(site~[^\"]*)\".*", "$1");
            assertThat(patch(site, room, "{\"mode\": \"draining\"}").status()).isEqualTo(200);
            assertThat(site.get("/", "Host: one.example").body()).contains("room-full");
            assertThat(site.get("/", "Host: two.example").status()).isEqualTo(200);
        }
    }

    @Test
    void replicasApplyTheSameChange() {
        String redis = "redis={uri: \"redis://" + REDIS.address() + "\", deadline: 5s}";
        String shared = "rate-limits.site.store=redis";
        try (Site one = room("idle: 1s", redis, shared);
                Site two = room("idle: 1s", redis, shared)) {
            Awaitility.await()
                    .until(() -> patch(one, "site", "{\"mode\": \"draining\"}").status() == 200);
            Awaitility.await().until(() -> two.get("/").body().contains("room-full"));
            changed(two, "{\"mode\": \"open\"}");
            Awaitility.await().until(() -> status(one) != 503);
        }
    }
}
