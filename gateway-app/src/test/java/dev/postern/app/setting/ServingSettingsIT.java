package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the kinds of transport, the times of stages, and the life cycle of a process. */
class ServingSettingsIT {

    @Test
    void transportIsAsConfigured() {
        Set<Thread> earlierThreads =
                Thread.getAllStackTraces().keySet(); // of earlier tests in this JVM, which may still be ending
        try (Site site = Site.with(
                "transport.kind=nio",
                "transport.event-loops=3",
                "transport.tcp-no-delay=false",
                "transport.allocator=adaptive",
                "log.level=error")) {
            site.get("/");
            assertThat(site.context())
                    .containsPattern("\"item\":\"transport\",[^}]*\"found\":\"nio\"")
                    .containsPattern("listenerweb.tcp-no-delay\",[^}]*\"found\":\"false\"");
            assertThat(site.metrics()).contains("allocator_type=\"AdaptiveByteBufAllocator\"");
            for (int i = 0; i < 6; i++) {
                site.get("/");
            }
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> t.getName().startsWith("postern-loop") && !earlierThreads.contains(t)))
                    .hasSize(3);
        }
        try (Site site = Site.with("transport.kind=io-uring", "transport.allocator=pooled")) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.context())
                    .containsPattern("\"item\":\"transport\",[^}]*\"found\":\"io_uring\",\"verdict\":\"ok\"")
                    .containsPattern("upstreamapp.tcp-no-delay\",[^}]*\"found\":\"true\"");
            assertThat(site.metrics()).contains("allocator_type=\"PooledByteBufAllocator\"");
        }
    }

    @Test
    void serverTimingHasTheTimeOfEachStage() {
        try (Site site = Site.requiringTokens()) {
            assertThat(site.get("/", "Authorization: " + site.token()).head())
                    .doesNotContainIgnoringCase("server-timing");
        }
        try (Site site = Site.requiringTokens("listeners.web.server-timing=true", "transport.event-loops=1");
                FrameClient second = FrameClient.connect(site.port())) {
            String served = site.get("/", "Authorization: " + site.token()).field("server-timing");
            String reused = site.get("/", "Authorization: " + site.token()).field("server-timing");
            String refused = site.get("/").field("server-timing");
            String overHttp2 = second.get(1, "/").response(1).field("server-timing");

            assertThat(namesIn(served))
                    .containsExactly("match", "identify", "verify", "spend", "connect", "respond", "total");
            assertThat(namesIn(reused))
                    .as("over an idle connection of the pool")
                    .containsExactly("match", "identify", "verify", "spend", "respond", "total");
            assertThat(sum(reused)).isCloseTo(duration(reused, "total"), within(0.02));
            assertThat(sum(served))
                    .isCloseTo(duration(served, "total"), within(0.02)); // each is truncated to a microsecond
            assertThat(namesIn(refused)).containsExactly("match", "identify", "total");
            assertThat(namesIn(overHttp2)).containsExactly("match", "identify", "total");
        }
    }

    private static List<String> namesIn(String timing) {
        return Arrays.stream(timing.split(", "))
                .map(metric -> metric.replaceAll(";.*", ""))
                .toList();
    }

    private static double sum(String timing) {
        return namesIn(timing).stream()
                .filter(name -> !name.equals("total"))
                .mapToDouble(name -> duration(timing, name))
                .sum();
    }

    private static double duration(String timing, String name) {
        return Arrays.stream(timing.split(", "))
                .filter(metric -> metric.startsWith(name + ";dur="))
                .mapToDouble(metric -> Double.parseDouble(metric.substring(name.length() + 5)))
                .sum();
    }

    @Test
    void acceptsConnectionsDuringTheDrainDelay() throws InterruptedException {
        try (Site site = Site.with("lifecycle.drain-delay=1h");
                RawClient kept = site.client()) {
            assertThat(kept.get("/").field("Connection")).isEmpty();
            Thread draining = new Thread(() -> drain(site), "draining");
            draining.start();
            Awaitility.await().until(() -> site.admin("/readyz").status() == 503);

            assertThat(site.get("/").status()).isEqualTo(200); // a new connection
            RawClient.Response last = kept.get("/");
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.field("Connection")).isEqualTo("close");
            draining.interrupt();
            draining.join();
        }
    }

    private static void drain(Site site) {
        try {
            site.gateway().drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void drainingEndsAtItsTimeout() throws InterruptedException {
        try (Site site = Site.with("lifecycle.drain-timeout=100ms");
                RawClient client = site.client()) {
            CountDownLatch received = new CountDownLatch(1);
            site.origin.behave((request, socket) -> received.countDown());
            client.send(Site.request("GET", "/never"));
            assertThat(received.await(30, TimeUnit.SECONDS)).isTrue();
            site.gateway().drain();
            assertThatThrownBy(client::read).isInstanceOf(IllegalStateException.class);
        }
    }
}
