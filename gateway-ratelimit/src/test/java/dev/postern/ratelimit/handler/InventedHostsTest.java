package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.handler.Door.Seen;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client writes what it likes into Host; what counts is the host of the route that its request matched. */
class InventedHostsTest {

    private static final int INVENTED = 10;

    private static RateLimitRule perHost(boolean room, FairQueueSettings.Tenants tenants) {
        FairQueueSettings settings = Door.roomLimit("site", 1, null).settings();
        if (!room || settings == null) {
            return new RateLimitRule("site", Rate.of("1/h"), 0, RateKey.HOST, false, null);
        }
        FairQueueSettings perHost = new FairQueueSettings(
                FairQueueSettings.RoomPer.HOST,
                settings.capacity(),
                null,
                settings.times(),
                settings.maxWaiting(),
                settings.waitingStatus(),
                settings.bind(),
                settings.bypass(),
                tenants,
                null,
                settings.page());
        return new RateLimitRule("site", Rate.of("1/h"), 0, RateKey.HOST, false, perHost);
    }

    private static List<Seen> visitInventedHosts(Door door, String pattern) {
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < INVENTED; i++) {
            seen.add(door.get("/")
                    .pattern(pattern)
                    .host("h" + i + ".invented.example")
                    .send());
        }
        return seen;
    }

    @Test
    void shareTheRateOfTheirRoute() {
        try (Door door = new Door(KeyRing.random(), perHost(false, FairQueueSettings.Tenants.NONE))) {
            assertThat(visitInventedHosts(door, "*"))
                    .extracting(Seen::status)
                    .startsWith(0, 429)
                    .containsOnlyOnce(0);
            assertThat(door.get("/").pattern("shop.example").send().passed())
                    .as("another route's host has a rate of its own")
                    .isTrue();
        }
    }

    @Test
    void shareTheRoomOfTheirRouteAndItsBound() {
        try (Door door = new Door(KeyRing.random(), perHost(true, FairQueueSettings.Tenants.NONE))) {
            List<Seen> seen = visitInventedHosts(door, "*.example");
            assertThat(seen)
                    .filteredOn(one -> one.status() == 0)
                    .as("one within the rate, and one slot")
                    .hasSize(2);
            assertThat(door.limits.state()).singleElement().satisfies(room -> {
                assertThat(room.active()).isEqualTo(1);
                assertThat(room.waiting()).isEqualTo(INVENTED - 2);
            });
            door.get("/").pattern("shop.example").send();
            assertThat(door.limits.state()).hasSize(2);
        }
    }

    /** A tenant is a route's host, whatever a client calls it, and so its weight. */
    @Test
    void haveNoTurnsOfTheirOwn() {
        FairQueueSettings.Tenants tenants =
                new FairQueueSettings.Tenants(RateKey.HOST, Map.of("h1.invented.example", 100), 1);
        try (Door door = new Door(KeyRing.random(), perHost(true, tenants))) {
            List<Seen> seen = visitInventedHosts(door, "*");
            assertThat(seen.get(2).field("postern-queue-position")).isEqualTo("1");
            assertThat(seen.get(INVENTED - 1).field("postern-queue-position"))
                    .as("in the order of coming")
                    .isEqualTo(Integer.toString(INVENTED - 2));
            Seen heavy = door.get("/").pattern("*").host("h1.invented.example").send();
            assertThat(heavy.field("postern-queue-position")).isEqualTo(Integer.toString(INVENTED - 1));
        }
    }
}
