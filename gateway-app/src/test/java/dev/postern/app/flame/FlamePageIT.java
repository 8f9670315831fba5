package dev.postern.app.flame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.Probes;
import dev.postern.app.profile.Profile;
import dev.postern.app.profile.ProfileEvent;
import dev.postern.app.profile.Profiler;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page over a socket, with a profiler that does as the test says. */
class FlamePageIT {

    private final BlockingQueue<Profiler> engines = new ArrayBlockingQueue<>(20);
    private final AdminServer server = new AdminServer(
            new InetSocketAddress("127.0.0.1", 0),
            List.of(),
            null,
            new AdminEndpointTable(
                    new Probes(
                            () -> CompletableFuture.completedFuture(true),
                            () -> true,
                            () -> false,
                            () -> "",
                            Map.of(),
                            Set.of()),
                    Map.of(
                            "/flamegraph",
                            new FlamePage(
                                    (event, length) -> engines.remove().take(event, length),
                                    new ManualClock(Instant.EPOCH))),
                    Map.of()));

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient.Response get(String query, String fields) {
        try (RawClient client = new RawClient(server.address().getPort())) {
            return client.send("GET /flamegraph" + query + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n")
                    .read();
        }
    }

    private RawClient.Response get(String query) {
        return get(query, "");
    }

    private static Profiler taking(String... stacks) {
        return (event, length) -> new Profile(event, "an engine", "a hint", Stacks.of(stacks));
    }

    /** The document in the page, and nothing that comes from elsewhere. */
    private static JsonNode document(RawClient.Response response) {
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).doesNotContain("src=", "http:", "https:", "@import", "url(");
        assertThat(response.field("Content-Security-Policy")).startsWith("default-src 'none'");
        String json = response.body().split("<script type=\"application/json\" id=\"document\">", 2)[1];
        return JsonMapper.shared().readTree(json.substring(0, json.indexOf("</script>")));
    }

    @Test
    void showsTheProfileWithWhoTookItAndWhatItLacks() {
        engines.add(taking("postern-loop;dev.postern.core.proxy.ProxyStage.take 3", "main;a.B.c 1"));

        JsonNode document = document(get("?seconds=2&event=wall"));

        assertThat(document.at("/engine").asString()).isEqualTo("an engine");
        assertThat(document.at("/hint").asString()).isEqualTo("a hint");
        assertThat(document.at("/graph/id").asInt()).isEqualTo(1);
        assertThat(document.at("/graph/event").asString()).isEqualTo("wall");
        assertThat(document.at("/graph/seconds").asInt()).isEqualTo(2);
        assertThat(document.at("/loops/rows/0/stage").asString()).isEqualTo("forward");
        assertThat(document.at("/names").toString())
                .isEqualTo("[\"all\",\"main\",\"a.B.c\",\"postern-loop\",\"dev.postern.core.proxy.ProxyStage.take\"]");
        assertThat(document.at("/bars").toString()).isEqualTo("[0,0,0,4,1,1,0,1,2,2,0,1,1,3,0,3,2,4,0,3]");
    }

    @Test
    void aNameCanNotEndTheScriptThatItStandsIn() {
        engines.add(taking("t;</script><script>alert(1)</script> 1"));

        JsonNode document = document(get(""));

        assertThat(document.at("/names/2").asString()).isEqualTo("</script><script>alert(1)</script>");
    }

    @Test
    void comparesTwoThatWereTaken() {
        engines.addAll(List.of(taking("t;a 1", "t;b 1"), taking("t;a 3", "t;b 1")));
        document(get(""));
        assertThat(document(get("")).at("/kept").size()).isEqualTo(2);

        JsonNode document = document(get("?compare=1,2"));

        assertThat(document.at("/before/id").asInt()).isEqualTo(1);
        assertThat(document.at("/graph/id").asInt()).isEqualTo(2);
        assertThat(document.at("/bars").toString())
                .isEqualTo("[0,0,1000000000,1000000000,1,1,1000000000,1000000000,2,2,500000000,750000000,"
                        + "2,3,500000000,250000000]");
        assertThat(document(get("?id=1")).at("/bars").toString()).isEqualTo("[0,0,0,2,1,1,0,2,2,2,0,1,2,3,0,1]");
    }

    @Test
    void onlyOneEventCanBeCompared() {
        engines.addAll(List.of(taking("t;a 1"), taking("t;a 3")));
        get("?event=cpu");
        get("?event=alloc");

        assertThat(get("?compare=1,2").status()).isEqualTo(400);
        assertThat(get("?compare=1,2").body())
                .isEqualTo("compare: graphs of cpu and alloc (expected: two of one event)\n");
    }

    @Test
    void theLastFewAreKept() {
        assertThat(get("?id=1").body()).contains("graph 1 (expected: one of the last 8", "there is none yet");
        for (int i = 0; i <= GraphHistory.MAX; i++) {
            engines.add(taking("t;a 1"));
            get("");
        }

        assertThat(get("?id=2").status()).isEqualTo(200);
        assertThat(get("?id=1").status()).isEqualTo(404);
        assertThat(get("?compare=1,2").body()).contains("graph 1 (expected", ": 2 3 4 5 6 7 8 9)");
    }

    @ParameterizedTest
    @CsvSource({"cross-site, 403", "same-site, 403", "same-origin, 200", "none, 200"})
    void pagesOfOtherSitesGetNothingAndMakeNoWork(String site, int status) {
        engines.add(taking("t;a 1"));

        assertThat(get("", "Sec-Fetch-Site: " + site + "\r\n").status()).isEqualTo(status);
        assertThat(engines).hasSize(status == 200 ? 0 : 1);
    }

    @Test
    void whoeverAsksForTheHeadAloneMakesNoWork() {
        engines.add(taking("t;a 1"));

        try (RawClient client = new RawClient(server.address().getPort())) {
            String head = client.send(
                            "HEAD /flamegraph?seconds=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    .rest();
            assertThat(head)
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("content-type: text/html")
                    .endsWith("\r\n\r\n");
        }
        assertThat(engines).hasSize(1);
    }

    @Test
    void whatIsNotUnderstoodMakesNoWork() {
        engines.add(taking("t;a 1"));

        assertThat(get("?seconds=61").status()).isEqualTo(400);
        assertThat(get("?seconds=61").body()).isEqualTo("seconds: 61 (expected: 1..60)\n");
        assertThat(engines).hasSize(1);
    }

    @Test
    void oneAtATime() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        engines.add((event, length) -> {
            begun.countDown();
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
            return taking("t;a 1").take(event, length);
        });
        engines.add(taking("t;a 1"));
        CompletableFuture<RawClient.Response> first = CompletableFuture.supplyAsync(() -> get("?seconds=9"));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        RawClient.Response second = get("");

        assertThat(second.status()).isEqualTo(429);
        assertThat(second.field("Retry-After")).isEqualTo("10"); // the clock stands still
        assertThat(second.body()).contains("one at a time");
        mayEnd.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(get("").status()).isEqualTo(200);
    }

    @Test
    void oneThatFailsIsToldAndKeepsNobodyOut() {
        engines.add((event, length) -> {
            throw new IOException("no space left");
        });
        engines.add((event, length) -> {
            throw new Profiler.BusyException("somebody else");
        });
        engines.add((event, length) -> {
            throw new IllegalStateException("broken");
        });
        engines.add(taking("t;a 1"));

        assertThat(get("").body()).isEqualTo("No profile could be taken: no space left\n");
        assertThat(get("").status()).isEqualTo(429);
        assertThat(get("").status()).isEqualTo(503);
        assertThat(get("").status()).isEqualTo(200);
    }

    @Test
    void whenTheProcessEndsTheProfileEndsToo() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<ProfileEvent> interrupted = new CompletableFuture<>();
        engines.add((event, length) -> {
            begun.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(1).toMillis());
                throw new IOException("nobody interrupted");
            } catch (InterruptedException e) {
                interrupted.complete(event);
                throw e;
            }
        });
        try (RawClient client = new RawClient(server.address().getPort())) {
            client.send("GET /flamegraph?event=lock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

            server.close();

            assertThat(interrupted.get(30, TimeUnit.SECONDS)).isEqualTo(ProfileEvent.LOCK);
        }
    }
}
