package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests that the number of active sessions of a room adapts to its upstream. */
class RoomBoundIT {

    /**
     * The first window of response times grows the bound whatever the times are, by one session if the bound is 25. In later windows the times
     * decide, which on a busy machine are not the upstream's alone; so all sessions are there before the first response.
     */
    @Test
    void boundAdaptsToTheUpstream() {
        CountDownLatch all = new CountDownLatch(1);
        List<RawClient> admitted = new ArrayList<>();
        try (Site site = Site.with(
                "routes=[{upstream: app, rate-limit: site, token: off}]",
                "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: auto, auto: {min: 25, max: 26}}}]")) {
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
