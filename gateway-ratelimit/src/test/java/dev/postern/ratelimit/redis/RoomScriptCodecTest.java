package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.PassNetworks;
import dev.postern.ratelimit.store.RoomKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the arguments of the scripts, and what a node makes of their replies. */
class RoomScriptCodecTest {

    private static final long SECOND = 1_000_000;
    private static final RoomRules RULES =
            new RoomRules(1, 600 * SECOND, 10 * SECOND, 20 * SECOND, 10, new Gcra(SECOND, 3));
    private static final RoomKey ROOM = new RoomKey("site", "site", RULES);
    private static final List<Long> NO_OVERRIDES = List.of(0L, 0L, 0L, 0L, 0L, 0L);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final long now = Micros.of(clock);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RoomCache cache = new RoomCache(room -> {});
    private final List<AdmissionDecision> decisions = new ArrayList<>();
    private final List<Long> forgotten = new ArrayList<>();
    private final RoomScriptCodec codec = codec(false);

    private RoomScriptCodec codec(boolean cluster) {
        RoomScriptCodec.Knowledge knowledge = new RoomScriptCodec.Knowledge() {
            @Override
            public long until(String roomId) {
                return now;
            }

            @Override
            public void forgotten(RoomKey room, long epoch) {
                forgotten.add(epoch);
            }
        };
        RedisSettings redis = KeyDefaults.of(RedisSettings.class, Map.of("cluster", cluster));
        return new RoomScriptCodec(new RedisStoreSettings(redis, "test", 2, null), cache, clock, registry, knowledge);
    }

    private RoomCommand admission(String session) {
        return RoomCommand.admission(ROOM, AdmissionRequest.of(Intent.ENTER, session, Claim.NONE), decisions::add);
    }

    private RoomCommand limit(String key) {
        return RoomCommand.limit(key, new Gcra(SECOND, 7), decisions::add);
    }

    /** Returns a reply of a room that is not late. */
    private static List<Object> reply(long time, long epoch, Long... codes) {
        return reply(time, epoch, false, NO_OVERRIDES, codes);
    }

    private static List<Object> reply(long time, long epoch, boolean late, List<Long> overrides, Long... codes) {
        Stream<Long> head = Stream.of(time, epoch, 4L, 1L, late ? 1L : 0L);
        Stream<Long> rest = Stream.of(2L, 60 * SECOND, time);
        return Stream.of(head, overrides.stream(), rest, Stream.of(codes))
                .flatMap(numbers -> numbers)
                .map(Object.class::cast)
                .toList();
    }

    private static long code(Kind kind, long value) {
        return kind.ordinal() + 8 * value;
    }

    private AdmissionDecision decide(Long... codes) {
        codec.finish(codec.prepare(List.of(admission("s"))), reply(now, 1, codes), 1);
        return last();
    }

    private AdmissionDecision last() {
        return decisions.get(decisions.size() - 1);
    }

    private double calls(String result) {
        return Meters.ROOM_CALL.timer(registry, result).count();
    }

    @Test
    void aCallToARoomHasItsRulesOnceAndEachRequest() {
        RedisBatcher.Call call = codec.prepare(List.of(admission("one"), admission("two")));
        assertThat(call.script()).isEqualTo(Script.ROOM);
        assertThat(call.keys()).hasSize(17).allMatch(key -> key.startsWith("postern:test:q5:{r:site}:"));
        assertThat(call.arguments()).hasSize(Keys.HEAD + 2 * RoomCommand.FIELDS);
        assertThat(call.arguments()).startsWith("1", "600000000", "10000000", "20000000", "10", "1000000", "3");
        assertThat(call.arguments()).contains("one", "two");
        assertThat(call.sentAt()).isEqualTo(now);
    }

    @Test
    void aRoomWithoutARateSendsZeros() {
        RoomKey without = new RoomKey("site", "site", new RoomRules(1, 1, 1, 1, 1, null));
        RoomCommand look = RoomCommand.order(without, "LOOK", "", decisions::add);
        assertThat(codec.prepare(List.of(look)).arguments()).startsWith("1", "1", "1", "1", "1", "0", "0");
    }

    @Test
    void aRequestCarriesClaimAndShare() {
        Claim claim = new Claim(5, 42, 7, 8, 9);
        AdmissionRequest request =
                new AdmissionRequest(Intent.POLL, "s", "key", claim, "cafe", new TenantShare("gold", 3), "net");
        assertThat(RoomCommand.arguments(request))
                .containsExactly("POLL", "s", "key", "5 42 7 8 9", "cafe", "3:gold", "net");
        assertThat(RoomCommand.arguments(AdmissionRequest.of(Intent.KEEP, "s", Claim.NONE)))
                .containsExactly("KEEP", "s", "", "0", "", "", "");
    }

    @Test
    void onlyCommandsOfOneSlotShareACall() {
        RoomCommand network = RoomCommand.network(pass(), "net", now, decisions::add);
        assertThat(codec.group(admission("s"))).isEqualTo("site");
        assertThat(codec.group(network)).isEqualTo("~site");
        assertThat(codec.group(limit("a"))).isEqualTo(codec.group(limit("b")));
        RoomScriptCodec cluster = codec(true);
        assertThat(cluster.group(limit("a"))).isNotEqualTo(cluster.group(limit("b")));
    }

    @Test
    void readsADecisionOfEachKind() {
        assertThat(decide(code(Kind.BASE, 0)).kind()).isEqualTo(Kind.BASE);

        AdmissionDecision admitted = decide(code(Kind.ADMITTED, 1), 11L, 12L);
        assertThat(admitted.end()).isEqualTo(11);
        assertThat(admitted.hard()).isEqualTo(12);
        assertThat(admitted.openedTicket()).isTrue();
        assertThat(decide(code(Kind.ADMITTED, 0), 11L, 12L).openedTicket()).isFalse();

        AdmissionDecision waiting = decide(code(Kind.WAITING, 3), 42L);
        assertThat(waiting.position()).isEqualTo(3);
        assertThat(waiting.ticket()).isEqualTo(42);
        assertThat(waiting.estimate()).isEqualTo(180 * SECOND);
        assertThat(waiting.retry()).isEqualTo(RULES.poll(3));

        AdmissionDecision deferred = decide(code(Kind.DEFERRED, 2), -1L);
        assertThat(deferred.kind()).isEqualTo(Kind.DEFERRED);
        assertThat(deferred.position()).isZero();
        assertThat(deferred.ticket()).isEqualTo(-1);

        assertThat(decide(code(Kind.LIMITED, 250)).retry()).isEqualTo(250);
        assertThat(decide(code(Kind.FULL, 9)).kind()).isEqualTo(Kind.FULL);
        assertThat(decide(code(Kind.TAKEN, 0)).room()).isEqualTo(new Snapshot(now, 1, 4, 1));
        assertThat(calls("answered")).isEqualTo(8);
    }

    @Test
    void aSessionBeforeTheOpeningWaitsUntilThen() {
        RoomRules later =
                new RoomRules(1, 600 * SECOND, 10 * SECOND, 20 * SECOND, 20 * SECOND, 10, null, now + 5 * SECOND, 9);
        RoomCommand command = RoomCommand.admission(
                new RoomKey("site", "site", later), AdmissionRequest.of(Intent.ENTER, "s", Claim.NONE), decisions::add);
        codec.finish(codec.prepare(List.of(command)), reply(now, 1, code(Kind.WAITING, 0), 42L), 1);
        assertThat(last().estimate()).isEqualTo(5 * SECOND);
        assertThat(last().retry()).isEqualTo(5 * SECOND);
    }

    @Test
    void aCallWithoutAReplyDecidesNothing() {
        codec.finish(codec.prepare(List.of(admission("a"), admission("b"))), null, 1);
        assertThat(decisions).extracting(AdmissionDecision::kind).containsExactly(Kind.UNKNOWN, Kind.UNKNOWN);
        assertThat(last().retry()).isEqualTo(RoomScriptCodec.RETRY);
        assertThat(calls("unanswered")).isEqualTo(1);
    }

    @Test
    void aLateCallTeachesTheClockOnly() {
        decide(code(Kind.BASE, 0));
        List<Object> late = reply(now + 3 * SECOND, 1, true, List.of(9L, 2L, 0L, 0L, 0L, 0L));
        codec.finish(codec.prepare(List.of(admission("s"))), late, 1);
        assertThat(last().kind()).isEqualTo(Kind.UNKNOWN);
        assertThat(cache.after(ROOM, now, 0)).isEqualTo(now + 3 * SECOND);
        assertThat(cache.controls("site")).isEqualTo(RoomOverrides.NONE);
        assertThat(calls("late")).isEqualTo(1);
    }

    @Test
    void aDecisionOfALostMemoryIsUnknown() {
        RedisBatcher.Call slow = codec.prepare(List.of(admission("s")));
        clock.advance(Duration.ofSeconds(1));
        codec.finish(codec.prepare(List.of(admission("s"))), reply(now + SECOND, 2, code(Kind.BASE, 0)), 1);
        codec.finish(slow, reply(now, 1, code(Kind.BASE, 0)), 1);
        assertThat(decisions).extracting(AdmissionDecision::kind).containsExactly(Kind.BASE, Kind.UNKNOWN);
        assertThat(calls("late")).isZero();
    }

    @Test
    void reportsToARoomThatLostItsMemory() {
        decide(code(Kind.BASE, 0));
        assertThat(forgotten).isEmpty();
        codec.finish(codec.prepare(List.of(admission("s"))), reply(now, 2, code(Kind.BASE, 0)), 1);
        assertThat(forgotten).containsExactly(2L);
    }

    @Test
    void learnsOverridesAndSendsThem() {
        List<Long> overrides = List.of(9L, (long) RoomMode.PAUSED.ordinal(), 6L, 0L, 0L, 0L);
        codec.finish(
                codec.prepare(List.of(admission("s"))), reply(now, 1, false, overrides, code(Kind.WAITING, 6), 42L), 1);
        assertThat(cache.controls("site")).isEqualTo(new RoomOverrides(9, RoomMode.PAUSED, 6, 0, 0, 0));
        assertThat(last().estimate()).as("with six sessions").isEqualTo(60 * SECOND);
        assertThat(codec.prepare(List.of(admission("s"))).arguments()[11]).isEqualTo("9");
    }

    @Test
    void decidesEachLimit() {
        RedisBatcher.Call call = codec.prepare(List.of(limit("a"), limit("b")));
        assertThat(call.script()).isEqualTo(Script.LIMIT);
        assertThat(call.keys()).containsExactly("postern:test:q5:{l:a}", "postern:test:q5:{l:b}");
        assertThat(call.arguments()).containsExactly("0", "1000000", "7", "1000000", "7");

        codec.finish(call, List.of(now + 5, 0L, 1L, 0L, 0L, 250L), 1);
        assertThat(decisions).containsExactly(AdmissionDecision.limit(true, 0), AdmissionDecision.limit(false, 250));
        long deadline = 100_000;
        assertThat(codec.prepare(List.of(limit("a"))).arguments()[0]).isEqualTo(Long.toString(now + 5 + deadline));
        assertThat(codec(true).prepare(List.of(limit("a"))).arguments()[0])
                .as("of a Cluster")
                .isEqualTo("0");
    }

    @Test
    void aLateCallOfLimitsDecidesNothing() {
        codec.finish(codec.prepare(List.of(limit("a"))), List.of(now, 1L), 1);
        assertThat(last()).isEqualTo(AdmissionDecision.unknown(RoomScriptCodec.RETRY));
        assertThat(calls("late")).isEqualTo(1);
    }

    @Test
    void addsNetworksOfPasses() {
        RoomCommand one = RoomCommand.network(pass(), "one", now, decisions::add);
        RoomCommand two = RoomCommand.network(pass(), "two", now, decisions::add);
        RedisBatcher.Call call = codec.prepare(List.of(one, two));
        assertThat(call.script()).isEqualTo(Script.NETWORK);
        assertThat(call.keys()).containsOnly("postern:test:q5:{r:site}:v:s:" + (now + 600 * SECOND));
        assertThat(call.arguments())
                .startsWith(Integer.toString(PassNetworks.OTHERS), "one")
                .contains("two");

        codec.finish(call, List.of(1L, 0L), 1);
        assertThat(decisions).extracting(AdmissionDecision::kind).containsExactly(Kind.BASE, Kind.LIMITED);
    }

    private CachedPass pass() {
        PassCache passes = new PassCache();
        AdmissionDecision admitted = new AdmissionDecision(
                Kind.ADMITTED, 0, 0, 0, 0, now + 10 * SECOND, now + 600 * SECOND, false, new Snapshot(now, 1, 0, 1));
        passes.note(ROOM, "s", admitted, now);
        @Nullable CachedPass found = passes.find(ROOM, "s", now);
        return Objects.requireNonNull(found);
    }

    @Test
    void limitsThePendingCommands() {
        int begun = 0;
        while (codec.begins()) {
            begun++;
        }
        assertThat(begun).isEqualTo(16_384);
        codec.finish(codec.prepare(List.of(limit("a"))), null, 1);
        assertThat(codec.begins()).isTrue();
        assertThat(codec.begins()).isFalse();
    }

    @Test
    void aCommandOfALimitHasNoRoom() {
        assertThatIllegalStateException().isThrownBy(() -> limit("a").roomOrThrow());
        assertThat(limit("a").ofPass()).isFalse();
        assertThat(admission("s").ofPass()).isFalse();
    }
}
