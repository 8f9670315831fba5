package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.TestOrigin;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the records of failed exchanges on the page {@code /failures}. */
class FailureRecordsTest {

    private static JsonNode failures(MemorySite site) {
        return JsonMapper.builder().build().readTree(site.admin("/failures").body());
    }

    @Test
    void recordsCauseTimesAndRequest() {
        try (MemorySite site = MemorySite.with()) {
            site.origin.behave((request, socket) -> socket.close());
            assertThat(site.get(
                                    "/a/b?password=hunter2",
                                    "Authorization: Basic c2VjcmV0",
                                    "Cookie: id=geheim",
                                    "X-Api-Key: 12345678",
                                    "Accept: text/html",
                                    "X-Forwarded-For: 192.0.2.77")
                            .status())
                    .isEqualTo(502);
            JsonNode failure = failures(site).path(0);
            assertThat(failure.path("status").asInt()).isEqualTo(502);
            assertThat(failure.path("code").asString()).isEqualTo("upstream-closed");
            assertThat(failure.path("blame").asString()).isEqualTo("upstream");
            assertThat(failure.path("request").path("path").asString()).isEqualTo("/a/b");
            assertThat(failure.path("forwarded").asBoolean()).isTrue();
            assertThat(failure.path("tries").asInt()).isPositive();
            long sum = 0;
            for (JsonNode micros : failure.path("stages-us")) {
                sum += micros.asLong();
            }
            assertThat(sum)
                    .isBetween(
                            failure.path("total-us").asLong() - 10,
                            failure.path("total-us").asLong());
            assertThat(failure.path("upstream").path("name").asString()).isEqualTo("app");
            assertThat(failure.path("upstream").path("servers").asInt()).isEqualTo(1);
            assertThat(failure.path("upstream").path("connections-most").asInt())
                    .isEqualTo(1024);
            assertThat(failure.path("request").path("fields").toString())
                    .contains("Accept: text/html", "X-Api-Key: (8 bytes)", "Cookie: (9 bytes)");
            assertThat(site.admin("/failures").body())
                    .doesNotContain("hunter2", "c2VjcmV0", "geheim", "12345678", "192.0.2.77", "127.0.0.1");
        }
    }

    @Test
    void recordsOnlyIncidentsNewestFirst() {
        try (MemorySite site = MemorySite.with()) {
            assertThat(site.get("/good").status()).isEqualTo(200);
            site.origin.behave(TestOrigin.Behaviour.raw("HTTP/1.1 503 Not Ours\r\nContent-Length: 0\r\n\r\n"));
            assertThat(site.get("/its-own").status()).isEqualTo(503);
            assertThat(failures(site)).isEmpty();
            site.origin.behave((request, socket) -> socket.close());
            site.get("/first");
            site.get("/second");
            assertThat(failures(site).path(0).path("request").path("path").asString())
                    .isEqualTo("/second");
        }
    }

    @Test
    void numberOfRecordsIsBounded() {
        try (MemorySite site = MemorySite.requiringTokens()) {
            for (int i = 0; i < 30; i++) {
                site.get("/"); // 401, no incident
            }
            assertThat(failures(site)).isEmpty();
        }
        try (MemorySite site = MemorySite.with("upstreams.app.endpoints=[\"127.0.0.1:1\"]")) {
            for (int i = 0; i < 400; i++) {
                site.get("/" + i);
            }
            assertThat(failures(site).size()).isBetween(20, 256);
        }
    }
}
