package dev.postern.app.flame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.AdminServers;
import dev.postern.app.profile.Profile;
import dev.postern.app.profile.ProfileEvent;
import dev.postern.app.profile.Profiler;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the page over a socket, with a profiler that the test controls. */
class FlamePageIT {

    private final BlockingQueue<Profiler> engines = new ArrayBlockingQueue<>(20);
    private final AdminServer server = AdminServers.open(
            Map.of(),
            Map.of(),
            Map.of(
                    "/flamegraph",
                    new FlamePage(
                            (event, length) -> engines.remove().take(event, length), new ManualClock(Instant.EPOCH))));

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient.Response ask(String method, String query, String fields) {
        try (RawClient client = new RawClient(server.address().getPort())) {
            return client.send(method + " /flamegraph" + query + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n")
                    .read();
        }
    }

    private RawClient.Response get(String query) {
        return ask("POST", query, "");
    }

    private static Profiler taking(String... stacks) {
        return (event, length) -> new Profile(event, "an engine", "a hint", String.join("\n", stacks));
    }

    /** Parses the page; checks that its policy prevents it from loading anything. */
    private static GraphPage graph(RawClient.Response response) {
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).doesNotContain("src=", "@import", "url(");
        assertThat(response.field("Content-Security-Policy")).startsWith("default-src 'none'");
        return GraphPage.of(response.body());
    }

    @Test
    void showsTheProfileWithProfilerAndLimitations() {
        engines.add(taking(
                "[postern-loop];dev.postern.core.proxy.ProxyStage.take_[j];tcp_sendmsg_[k] 3", "[main];a.B.c_[j] 1"));

        GraphPage graph = graph(get("?seconds=2&event=wall"));

        assertThat(graph.title())
                .isEqualTo("Time, waiting included, 2 s from 1970-01-01T00:00:00Z, by an engine."
                        + " Event loops: forward 100.0 %. a hint");
        assertThat(graph.stacks())
                .isEqualTo(Map.of(
                        "[postern-loop];[forward];dev.postern.core.proxy.ProxyStage.take_[j];tcp_sendmsg_[k]",
                        3L,
                        "[main];a.B.c_[j]",
                        1L));
    }

    @ParameterizedTest
    @CsvSource({"cpu, samples", "wall, samples", "alloc, bytes", "lock, ns"})
    void weightsHaveTheUnitOfTheEvent(String event, String unit) {
        engines.add(taking("[t];a 4"));

        assertThat(get("?event=" + event).body()).contains("' " + unit + "'");
    }

    @Test
    void escapesNamesInTheScript() {
        engines.add((event, length) ->
                new Profile(event, "<b>", "", "[t];</script><script>alert(1)</script>;<!--;a.B.<init>_[j] 1"));

        RawClient.Response page = get("");

        assertThat(page.body()).contains("by &lt;b>").doesNotContain("alert(1)</script>", "<!--");
        assertThat(graph(page).names()).contains("< /script><script>alert(1)< /script>", "a.B.<init>");
    }

    @Test
    void omitsOnlyTheNarrowestBars() {
        String narrow = IntStream.range(0, 50_000)
                .mapToObj(i -> "[t];cold;leaf" + i + " " + (1 + i % 7) + "\n")
                .collect(Collectors.joining());
        engines.add(taking(narrow + "[t];hot;path 1000000"));

        GraphPage graph = graph(get(""));

        assertThat(graph.names()).contains("hot", "path", "cold").hasSize(4);
        assertThat(graph.stacks()).containsEntry("[t];hot;path", 1_000_000L);
    }

    @Test
    void showsAnEmptyProfile() {
        engines.add(taking());

        assertThat(get("").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"cross-site, 403", "same-site, 403", "same-origin, 200", "none, 200"})
    void refusesPagesOfOtherSitesWithoutAProfile(String site, int status) {
        engines.add(taking("[t];a 1"));

        assertThat(ask("POST", "", "Sec-Fetch-Site: " + site + "\r\n").status()).isEqualTo(status);
        assertThat(engines).hasSize(status == 200 ? 0 : 1);
    }

    /** A link or an image of another site causes a GET request, in which browsers name no origin. */
    @Test
    void runsNoProfileForGet() {
        engines.add(taking("[t];a 1"));

        RawClient.Response refused = ask("GET", "?seconds=1", "");

        assertThat(refused.status()).isEqualTo(405);
        assertThat(refused.field("Allow")).isEqualTo("POST");
        assertThat(refused.body()).contains("curl -N -X POST 'http://HOST:PORT/flamegraph'");
        assertThat(engines).hasSize(1);
    }

    /** As the live page sends it. */
    @Test
    void readsTheFieldsOfAForm() {
        List<Duration> lengths = new ArrayList<>();
        engines.add((event, length) -> {
            lengths.add(length);
            return taking("[t];a 1").take(event, length);
        });

        String form = "event=lock&seconds=3";
        RawClient.Response page = ask(
                "POST",
                "",
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n"
                        + form);

        assertThat(page.body()).contains("' ns'");
        assertThat(lengths).containsExactly(Duration.ofSeconds(3));
    }

    @Test
    void runsNoProfileForInvalidQueries() {
        engines.add(taking("[t];a 1"));

        assertThat(get("?seconds=61").status()).isEqualTo(400);
        assertThat(get("?seconds=61").body()).isEqualTo("seconds: 61 (expected: 1..60)\n");
        assertThat(engines).hasSize(1);
    }

    @Test
    void runsOneProfileAtATime() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        engines.add((event, length) -> {
            begun.countDown();
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
            return taking("[t];a 1").take(event, length);
        });
        engines.add(taking("[t];a 1"));
        CompletableFuture<RawClient.Response> first = CompletableFuture.supplyAsync(() -> get("?seconds=9"));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        RawClient.Response second = get("");

        assertThat(second.status()).isEqualTo(429);
        assertThat(second.field("Retry-After")).isEqualTo("10"); // the clock does not advance
        assertThat(second.body()).contains("one at a time");
        mayEnd.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(get("").status()).isEqualTo(200);
    }

    @Test
    void reportsAFailedProfileAndAllowsTheNext() {
        engines.add((event, length) -> {
            throw new IOException("no space left");
        });
        engines.add((event, length) -> {
            throw new Profiler.BusyException("another profiler");
        });
        engines.add((event, length) -> {
            throw new IllegalStateException("broken");
        });
        engines.add(taking("[t];a 1"));

        assertThat(get("").body()).isEqualTo("No profile could be taken: no space left\n");
        assertThat(get("").status()).isEqualTo(429);
        assertThat(get("").status()).isEqualTo(503);
        assertThat(get("").status()).isEqualTo(200);
    }

    @Test
    void shutdownInterruptsTheProfile() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<ProfileEvent> interrupted = new CompletableFuture<>();
        engines.add((event, length) -> {
            begun.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(1).toMillis());
                throw new IOException("was not interrupted");
            } catch (InterruptedException e) {
                interrupted.complete(event);
                throw e;
            }
        });
        try (RawClient client = new RawClient(server.address().getPort())) {
            client.send("POST /flamegraph?event=lock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

            server.close();

            assertThat(interrupted.get(30, TimeUnit.SECONDS)).isEqualTo(ProfileEvent.LOCK);
        }
    }
}
