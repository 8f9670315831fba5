package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a waiting room through each proxy that asks. */
@ExtendWith(LeakExtension.class)
class ProxyRoomsIT {

    private static final String ROOM =
            "rate-limits=[{name: site, fair-queue: {active-sessions: 1, absence: 5m, idle: 10m}}]";
    private static final String ROUTE = "routes=[{path: /, upstream: none, token: off, rate-limit: site}]";
    private static final String[] BROWSER = {"Accept: text/html", "Sec-Fetch-Mode: navigate"};
    private static final Pattern POLL = Pattern.compile("data-poll=\"([^\"]+)\"");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void admitsWaitingClientsInOrder(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, ROOM, ROUTE)) {
            RawClient.Response first = site.get("/page", BROWSER);
            assertThat(first.status()).isEqualTo(200);
            String admitted = AskedSite.cookies(first);

            RawClient.Response second = site.get("/page", BROWSER);
            String poll = isWaitingPage(site, second, "1");
            String next = AskedSite.cookies(second);
            RawClient.Response third = site.get("/page", "Accept: application/json");
            assertThat(third.status()).isEqualTo(kind.refused(503));
            assertThat(third.field("Content-Type")).isEqualTo("application/json");
            assertThat(third.field("Postern-Queue-Position")).isEqualTo("2");
            String last = AskedSite.cookies(third);
            assertThat(place(site, poll, next)).contains("\"position\":1");
            assertThat(place(site, poll, last)).contains("\"position\":2");
            assertThat(streamed(site, poll, last)).contains("\"position\":2");
            assertThat(served(site, admitted, 20)).isEqualTo(20);
            assertThat(site.origin.received()).as("the first client's").hasSize(21);

            site.gateway.changeRoom("site", "{\"active-sessions\": 2}");
            // Neither the order of the questions nor their number decides.
            Awaitility.await().until(() -> {
                assertThat(site.get("/page", last).status()).isEqualTo(kind.refused(503));
                return place(site, poll, next).contains("\"admitted\"");
            });
            assertThat(seesTheSite(site, next))
                    .as("what the waiting page looks for")
                    .isTrue();
            RawClient.Response entered = site.get("/page", next);
            assertThat(entered.status()).isEqualTo(200);
            assertThat(site.get("/page", last).field("Postern-Queue-Position")).isEqualTo("1");
            String pass = AskedSite.all(entered.head(), "Set-Cookie").isEmpty() ? next : AskedSite.cookies(entered);
            assertThat(served(site, pass, 60)).as("a whole page").isEqualTo(60);
        }
    }

    @ParameterizedTest
    @EnumSource
    void scriptsThatMayReadTheRouteReadTheirPosition(ProxyKind kind) throws IOException {
        String route = ROUTE.replace(
                "rate-limit: site",
                "rate-limit: site, headers: {response: {set: {Access-Control-Allow-Origin: \"https://app.example\"}}}");
        try (AskedSite site = AskedSite.behind(kind, folder, ROOM, route)) {
            assertThat(site.get("/page", BROWSER).status()).isEqualTo(200);
            RawClient.Response waiting = site.get("/page", BROWSER);
            String poll = isWaitingPage(site, waiting, "1");

            for (String origin : new String[] {"https://app.example", "https://other.example"}) {
                RawClient.Response status =
                        site.get(poll, "Accept: application/json", AskedSite.cookies(waiting), "Origin: " + origin);
                assertThat(status.body()).contains("\"position\":1");
                assertThat(AskedSite.all(status.head(), "Access-Control-Allow-Origin"))
                        .isEqualTo(origin.contains("app") ? List.of(origin) : List.of());
            }
        }
    }

    private static String isWaitingPage(AskedSite site, RawClient.Response response, String position) {
        assertThat(response.status()).isEqualTo(site.kind.refused(503));
        assertThat(response.field("Content-Type")).startsWith("text/html");
        assertThat(response.field("Postern-Queue-Position")).isEqualTo(position);
        assertThat(response.field("Retry-After")).isNotEmpty();
        assertThat(response.field("Cache-Control")).contains("no-store");
        assertThat(AskedSite.all(response.head(), "Set-Cookie"))
                .singleElement()
                .asString()
                .startsWith("postern-ticket-");
        assertThat(response.body()).endsWith("</html>\n");
        Matcher poll = POLL.matcher(response.body());
        assertThat(poll.find()).isTrue();
        return poll.group(1);
    }

    private static String place(AskedSite site, String poll, String ticket) {
        return site.get(poll, "Accept: application/json", ticket).body();
    }

    /** Returns the first event of the stream. */
    private static String streamed(AskedSite site, String poll, String ticket) {
        try (RawClient client = site.client()) {
            client.send(AskedSite.request("GET", poll, "Accept: text/event-stream", ticket));
            client.readUntil("data: ");
            return client.readUntil("\n");
        }
    }

    private static boolean seesTheSite(AskedSite site, String ticket) {
        try (RawClient client = site.client()) {
            RawClient.Response response = client.send(AskedSite.request("HEAD", "/page", "X-Purpose: preview", ticket))
                    .readHead();
            return !response.field("Postern-Queue-Position").isEmpty();
        }
    }

    /** Returns how many files of a page are served. */
    private static int served(AskedSite site, String pass, int files) {
        int served = 0;
        try (RawClient client = site.client()) {
            for (int i = 0; i < files; i++) {
                String request = AskedSite.request("GET", "/file-" + i, pass, "Sec-Fetch-Mode: no-cors");
                served += client.send(request).read().status() == 200 ? 1 : 0;
            }
        }
        return served;
    }
}
