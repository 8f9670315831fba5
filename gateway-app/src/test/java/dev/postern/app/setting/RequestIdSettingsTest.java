package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests whose request ids are kept and where they are shown. */
class RequestIdSettingsTest {

    private static final String GIVEN = "X-Request-ID: abc-1";

    private static String received(MemorySite site, String field) {
        return site.origin.received().get(site.origin.received().size() - 1).field(field);
    }

    @Test
    void idsOfTrustedProxiesAreKept() {
        try (MemorySite site = MemorySite.with()) {
            assertThat(site.get("/", GIVEN).field("X-Request-ID")).hasSize(36);
            site.apply("listeners.web.trusted-proxies=[127.0.0.0/8]");
            assertThat(site.get("/", GIVEN).field("X-Request-ID")).isEqualTo("abc-1");
            assertThat(received(site, "X-Request-ID")).isEqualTo("abc-1");
            site.apply("listeners.web.trusted-proxies=[127.0.0.0/8]", "listeners.web.request-id.accept=none");
            assertThat(site.get("/", GIVEN).field("X-Request-ID")).hasSize(36);
            site.apply("listeners.web.request-id.accept=all");
            assertThat(site.get("/", GIVEN).field("X-Request-ID")).isEqualTo("abc-1");
        }
    }

    @Test
    void theFieldHasTheConfiguredName() {
        try (MemorySite site = MemorySite.with("listeners.web.request-id.field=X-Correlation-ID")) {
            RawClient.Response response = site.get("/", "X-Correlation-ID: theirs", GIVEN);
            assertThat(response.field("X-Correlation-ID")).hasSize(36).isEqualTo(received(site, "X-Correlation-ID"));
            assertThat(received(site, "X-Request-ID")).isEqualTo("abc-1");
            site.apply("listeners.web.request-id=null");
            assertThat(site.get("/", GIVEN).field("X-Request-ID")).isEmpty();
        }
    }

    @Test
    void routesMaySendTheIdElsewhere() {
        try (MemorySite site = MemorySite.with(
                "listeners.web.request-id.accept=all",
                "routes=[{upstream: app, token: off, headers: {set: {X-Trace: \"id={request-id}\"}}}]")) {
            site.get("/", GIVEN);
            assertThat(received(site, "X-Trace")).isEqualTo("id=abc-1");
        }
    }

    /** A person reports the id on the page: the operator finds the record of the failure by it. */
    @Test
    void aFailureIsFoundById() {
        try (MemorySite site = MemorySite.with()) {
            site.origin.behave((request, socket) -> socket.close());
            site.get("/other");
            RawClient.Response page = site.get("/", "Accept: text/html");
            String id = page.field("X-Request-ID");
            assertThat(page.status()).isEqualTo(502);
            assertThat(page.body()).contains(">" + id + "</code>");
            JsonNode found = failures(site, id);
            assertThat(found).hasSize(1);
            assertThat(found.path(0).path("id").asString()).isEqualTo(id);
            assertThat(failures(site, "unknown")).isEmpty();
        }
    }

    private static JsonNode failures(MemorySite site, String id) {
        return JsonMapper.shared().readTree(site.admin("/failures?id=" + id).body());
    }
}
