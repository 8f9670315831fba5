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

/** Tests changes of a room that depend on the time of day, or that another replica makes. */
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

    private static int status(Site site) {
        return site.get("/").status();
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
