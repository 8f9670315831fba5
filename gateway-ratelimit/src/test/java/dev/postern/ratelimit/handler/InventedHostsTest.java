package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.FairQueueSettings.Tenants;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.TenantKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Verifies that limits use the host of the matched route, whatever host the client sends. */
class InventedHostsTest {

    private static final int INVENTED = 10;

    private static RateLimitRule perHost(@Nullable FairQueueSettings room) {
        return new RateLimitRule("site", Rate.of("1/h"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, room);
    }

    private static FairQueueSettings room(Tenants tenants) {
        return AdmissionFixture.fairQueue(RoomPer.HOST, 1, Rate.of("0"), tenants);
    }

    private static List<AdmissionResult> visitInventedHosts(AdmissionFixture stage, String pattern) {
        List<AdmissionResult> seen = new ArrayList<>();
        for (int i = 0; i < INVENTED; i++) {
            seen.add(stage.get("/")
                    .pattern(pattern)
                    .host("h" + i + ".invented.example")
                    .send());
        }
        return seen;
    }

    @Test
    void shareTheRateOfTheirRoute() {
        try (AdmissionFixture stage = new AdmissionFixture(KeyRing.random(), perHost(null))) {
            assertThat(visitInventedHosts(stage, "*"))
                    .extracting(AdmissionResult::status)
                    .startsWith(0, 429)
                    .containsOnlyOnce(0);
            assertThat(stage.get("/").pattern("shop.example").send().passed())
                    .as("another route's host has a rate of its own")
                    .isTrue();
        }
    }

    @Test
    void shareTheRoomOfTheirRouteAndItsBound() {
        try (AdmissionFixture stage =
                new AdmissionFixture(KeyRing.random(), perHost(room(AdmissionFixture.NO_TENANTS)))) {
            List<AdmissionResult> seen = visitInventedHosts(stage, "*.example");
            assertThat(seen)
                    .filteredOn(one -> one.status() == 0)
                    .as("one within the rate, and one slot")
                    .hasSize(2);
            assertThat(stage.limits.state()).singleElement().satisfies(room -> {
                assertThat(room.active()).isEqualTo(1);
                assertThat(room.waiting()).isEqualTo(INVENTED - 2);
            });
            stage.get("/").pattern("shop.example").send();
            assertThat(stage.limits.state()).hasSize(2);
        }
    }

    /** A tenant and its weight belong to the host of a route, whatever host the client sends. */
    @Test
    void haveNoTenantOfTheirOwn() {
        Tenants tenants = new Tenants(new TenantKey(RateKey.HOST), Map.of("h1.invented.example", 100));
        try (AdmissionFixture stage = new AdmissionFixture(KeyRing.random(), perHost(room(tenants)))) {
            List<AdmissionResult> seen = visitInventedHosts(stage, "*");
            assertThat(seen.get(2).field("postern-queue-position")).isEqualTo("1");
            assertThat(seen.get(INVENTED - 1).field("postern-queue-position"))
                    .as("in the order of arrival")
                    .isEqualTo(Integer.toString(INVENTED - 2));
            AdmissionResult heavy =
                    stage.get("/").pattern("*").host("h1.invented.example").send();
            assertThat(heavy.field("postern-queue-position")).isEqualTo(Integer.toString(INVENTED - 1));
        }
    }
}
