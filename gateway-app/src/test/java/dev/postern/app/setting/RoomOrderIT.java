package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys for the order of a room and the number of its active sessions. */
class RoomOrderIT {

    /** Fixed, because it selects one of 64 buckets for each tenant without a weight: a random secret sometimes selects the same one twice. */
    private static final String SECRET = Base64.getEncoder().encodeToString(new byte[32]);

    @TempDir
    Path folder;

    private static Site room(String route, String queue, String... settings) {
        return Site.with(
                List.of(
                        "routes=[{upstream: app, rate-limit: site, " + route + "}]",
                        "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {" + queue + "}}]"),
                settings);
    }

    private static String position(Site site, String... fields) {
        return site.get("/", fields).field("Postern-Queue-Position");
    }

    @Test
    void tenantsTakeTurnsByTheirWeights() throws IOException {
        String ring = "secrets.ring-file=" + Files.writeString(folder.resolve("ring"), SECRET);
        String tenants = "active-sessions: 1, tenants: {by: \"header:X-Shop\", weights: {big: 3}}";
        try (Site site = room("token: off", tenants, ring)) {
            site.get("/", "X-Shop: big");
            site.get("/", "X-Shop: big");
            for (int i = 1; i <= 4; i++) {
                assertThat(position(site, "X-Shop: big")).isEqualTo(Integer.toString(i));
            }
            assertThat(position(site, "X-Shop: small"))
                    .as("after a turn of the other tenant")
                    .isEqualTo("4");
        }
    }

    @Test
    void clientsWithATokenHaveTheirWeight() {
        assertThat(positionOfHolderAfterFive("holder-weight: 1")).isEqualTo("2");
        assertThat(positionOfHolderAfterFive("holder-weight: 100")).isEqualTo("1");
    }

    private static String positionOfHolderAfterFive(String key) {
        try (Site site = room("token: optional", "active-sessions: 1, " + key, Site.issuer())) {
            assertThat(site.get("/").field("WWW-Authenticate"))
                    .as("the upstream's response")
                    .isEmpty();
            site.get("/");
            for (int i = 1; i <= 4; i++) {
                assertThat(position(site)).isEqualTo(Integer.toString(i));
            }
            String token = Site.MINT.response(site.get("/").field("WWW-Authenticate"));
            return position(site, "Authorization: " + token);
        }
    }

    /**
     * The first window of response times grows the bound whatever the times are, by one session if the bound is 25. In later windows the times
     * decide, which on a busy machine are not the upstream's alone; so all sessions are there before the first response.
     */
    @Test
    void boundAdaptsToTheUpstream() {
        CountDownLatch all = new CountDownLatch(1);
        List<RawClient> admitted = new ArrayList<>();
        try (Site site = room("token: off", "active-sessions: auto, auto: {min: 25, max: 26}")) {
            assertThat(site.get("/").status()).as("on the base rate").isEqualTo(200);
            site.origin.behave((request, socket) -> {
                uninterrupted(all);
                TestOrigin.Behaviour.ok("late").response(request, socket);
            });
            for (int i = 0; i < 25; i++) {
                admitted.add(site.client().send(Site.request("GET", "/")));
            }
            Awaitility.await().until(() -> site.origin.received().size() == 26);
            String[] waiting = {Site.cookie(site.get("/")), Site.cookie(site.get("/"))};
            all.countDown();
            String first = Site.cookie(admitted.get(0).read());

            Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> {
                assertThat(site.get("/", "Cookie: " + first).status()).isEqualTo(200);
                return site.get("/", "Cookie: " + waiting[0]).status() == 200;
            });
            assertThat(site.get("/", "Cookie: " + waiting[1]).status())
                    .as("at most 26")
                    .isEqualTo(503);
            assertThat(site.metrics()).contains("postern_room_bound{room=\"site\"} 26");
        } finally {
            all.countDown();
            admitted.forEach(RawClient::close);
        }
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
