package dev.postern.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.config.Rate;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.config.Share;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.metrics.Meters;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import dev.postern.ratelimit.handler.RateLimiter;
import dev.postern.ratelimit.handler.RateLimiters;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore;
import dev.postern.ratelimit.store.SessionCount;
import dev.postern.ratelimit.store.TenantKey;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what a reload keeps of limits and rooms, the overrides of rooms, and their gauges. */
class RateLimitsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final RateLimits limits = RateLimits.open(
            settings(room("site", 2), plain("api")),
            new RateLimits.Environment(
                    KeyRing.random(),
                    registry,
                    new ManualClock(Instant.parse("2026-11-20T12:00:00Z")),
                    channel.eventLoop(),
                    (loop, address, domains, observer) -> {},
                    null));

    @AfterEach
    void close() {
        limits.close();
        channel.finishAndReleaseAll();
    }

    private static RateLimitSettings settings(RateLimitRule... rules) {
        return new RateLimitSettings("test", 1, List.of(rules), Map.of(), KeyDefaults.of(RedisSettings.class));
    }

    private static RateLimitRule plain(String name) {
        return rule(name, null);
    }

    private static RateLimitRule room(String name, int active) {
        return rule(name, fairQueue(RoomPer.RULE, active));
    }

    private static RateLimitRule rule(String name, @Nullable FairQueueSettings room) {
        return new RateLimitRule(name, Rate.of("1/s"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, room);
    }

    /** @param active 0 for an adaptive number, which begins at 5 */
    private static FairQueueSettings fairQueue(RoomPer per, int active) {
        return new FairQueueSettings(
                per,
                new SessionCount(active),
                new FairQueueSettings.Auto(5, 1000),
                Rate.of("0"),
                Duration.ofMinutes(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(20),
                Duration.ofMinutes(5),
                new Share(1),
                100,
                503,
                List.of(ClientBinding.AGENT),
                List.of(),
                Map.of(),
                new FairQueueSettings.Tenants(TenantKey.NONE, Map.of()),
                1,
                null,
                new FairQueueSettings.Page(null, "auto", "none"));
    }

    private void reload(RateLimitRule... rules) {
        limits.take(limits.prepare(settings(rules)));
        channel.runPendingTasks();
    }

    private RoomStore.@Nullable Controlled pause(String room) {
        AtomicReference<RoomStore.Controlled> controlled = new AtomicReference<>();
        limits.control(room, overrides -> overrides.in(RoomMode.PAUSED).active(7))
                .thenAccept(controlled::set);
        channel.runPendingTasks();
        return controlled.get();
    }

    private @Nullable Double bound(String limit) {
        Gauge gauge =
                registry.find(Meters.ROOM_BOUND.meter()).tag("room", limit).gauge();
        return gauge == null ? null : gauge.value();
    }

    @Test
    void knowsTheLimitOfARoom() {
        RateLimitRule found = limits.limitOf("site");
        assertThat(found).isEqualTo(room("site", 2));
        assertThat(limits.limitOf("api")).as("has no room").isNull();
        assertThat(limits.limitOf("other")).isNull();
        assertThat(limits.limitOf("site~0123456789abcdef"))
                .as("one room for all hosts")
                .isNull();
    }

    @Test
    void changesTheOverridesOfARoom() {
        RoomStore.Controlled controlled = pause("site");
        assertThat(controlled).isNotNull();
        assertThat(controlled.stored()).isTrue();
        assertThat(controlled.overrides().mode()).isEqualTo(RoomMode.PAUSED);
        assertThat(limits.state()).extracting(RoomState::id).containsExactly("site");
        assertThat(bound("site")).isEqualTo(7);
    }

    @Test
    void refusesOverridesOfUnknownRooms() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.control("api", overrides -> overrides))
                .withMessage("room: api (expected: one of /rooms, or a rate-limits.name)");
    }

    @Test
    void showsTheConfiguredBoundUntilARoomIsKnown() {
        assertThat(bound("site")).isEqualTo(2);
        assertThat(bound("api")).as("has no room").isNull();
    }

    @Test
    void anUnchangedRuleKeepsItsLimiter() {
        RateLimiter before = limits.limiters().find("site");
        reload(room("site", 2), room("other", 1));
        assertThat(limits.limiters().find("site")).isSameAs(before);
        assertThat(bound("other")).isEqualTo(1);
    }

    @Test
    void aChangedRuleKeepsItsRooms() {
        pause("site");
        reload(room("site", 3));
        assertThat(limits.state()).extracting(RoomState::id).containsExactly("site");
        RateLimitRule changed = limits.limitOf("site");
        assertThat(changed).isEqualTo(room("site", 3));
    }

    @Test
    void aPageThatChangedReplacesTheLimiter() {
        RateLimiter before = limits.limiters().find("site");
        RateLimiters now = limits.prepare(new RateLimitSettings(
                "test",
                1,
                List.of(room("site", 2)),
                Map.of("site", "<html><body>{{position}}</body></html>"),
                KeyDefaults.of(RedisSettings.class)));
        assertThat(now.find("site")).isNotSameAs(before);
        assertThat(limits.limiters().find("site")).as("before take").isSameAs(before);
    }

    @Test
    void aRemovedLimitTakesItsMetersAlong() {
        reload(plain("api"));
        assertThat(limits.limitOf("site")).isNull();
        assertThat(bound("site")).isNull();
        assertThat(registry.find(Meters.ROOM_DECISIONS.meter())
                        .tag("limit", "site")
                        .counters())
                .isEmpty();
    }

    @Test
    void anAdaptiveRoomBeginsWithItsMinimum() {
        reload(rule("auto", fairQueue(RoomPer.HOST, 0)));
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(bound("auto")).isEqualTo(5);
    }

    @Test
    void withoutRedisNothingCanBeUnavailable() {
        assertThat(limits.healthy()).isTrue();
        assertThat(limits.stores()).isEmpty();
    }
}
