package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.app.replica.PolledRoom.Outcome;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two gateway processes whose Redis forgets scripts, single keys or all of them while clients of both wait and use passes: the order
 * of those that poll stays, and the room has never one session too many.
 */
@Tag("faults")
@Tag("long")
class RoomMemoryLossIT {

    private static final int ACTIVE = 3;
    private static final int PEOPLE = 15;
    /** Each loss ends the passes earlier by the deadline of a call, so clients do not use theirs until its end. */
    private static final PolledRoom.Rules RULES = new PolledRoom.Rules(ACTIVE, 6_000, 20_000, 20_000, 2_000, 1_000);

    /** Kinds of keys that exist while clients wait and use passes. */
    private static final String[] KINDS = {"a", "h", "m", "n", "p", "q", "r", "s", "w"};

    private static final int FILLERS = 400;
    private static final String LOSS = "lost its keys or one of them";

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private PolledRoom room;
    private GatewayProcess one;
    private GatewayProcess two;

    @BeforeEach
    void start() throws IOException {
        room = new PolledRoom(folder, RULES, REDIS.address(), Launch.FRUGAL);
        one = room.gateway("one", PolledRoom.REDIS, 2);
        two = room.gateway("two", PolledRoom.REDIS, 2);
        room.open(one);
    }

    @AfterEach
    void close() {
        room.close();
        one.close();
        two.close();
        REDIS.server().restartEmpty();
    }

    @Test
    void forgottenScriptsChangeNothing() {
        for (int i = 0; i < PEOPLE; i++) {
            forgetScripts();
            room.arrive(1, i % 2 == 0 ? one : two);
        }
        betweenAdmissions(Collections.nCopies(6, this::forgetScripts));
        Outcome outcome = expectOrderAndBound("SCRIPT FLUSH");
        assertThat(outcome.kept())
                .as("requests with live passes that were served")
                .isOne();
        assertThat(losses()).isFalse();
    }

    private void forgetScripts() {
        REDIS.cli("script", "flush");
    }

    /** Keys are deleted kind by kind, then half of all are evicted, then all are flushed: each time after a further client was admitted. */
    @Test
    void lostKeysChangeNeitherOrderNorBound() {
        REDIS.cli("config", "set", "maxmemory-policy", "allkeys-random"); // also takes keys that were just used
        room.arrive(PEOPLE, one, two);
        room.awaitServed(ACTIVE);
        String meta = REDIS.cli("keys", "postern:polled:*:{r:site}:m").strip();
        String prefix = meta.substring(0, meta.length() - 1);
        List<Runnable> faults = new ArrayList<>();
        for (String kind : KINDS) {
            faults.add(() -> delete(prefix + kind));
        }
        faults.addAll(List.of(this::evict, this::evict, RoomMemoryLossIT::flush));
        betweenAdmissions(faults);
        expectOrderAndBound("lost keys");
        assertThat(losses()).isTrue();
    }

    private static void delete(String key) {
        Awaitility.await(key).until(() -> REDIS.cli("del", key).strip().equals("1"));
    }

    private static void flush() {
        REDIS.cli("flushall");
    }

    /** Evicts about half of all keys. */
    private void evict() {
        REDIS.cli(
                "eval",
                "for i = 1, " + FILLERS + " do redis.call('SET', 'filler:' .. i, string.rep('x', 1000)) end",
                "0");
        long before = REDIS.info("stats", "evicted_keys");
        REDIS.cli("config", "set", "maxmemory", Long.toString(REDIS.info("memory", "used_memory") - FILLERS * 500));
        Awaitility.await().until(() -> REDIS.info("stats", "evicted_keys") - before > FILLERS / 5);
        REDIS.cli("config", "set", "maxmemory", "0");
    }

    /** Makes each fault after a further client was admitted. */
    private void betweenAdmissions(List<Runnable> faults) {
        for (int i = 0; i < faults.size(); i++) {
            room.awaitServed(ACTIVE + i);
            faults.get(i).run();
        }
    }

    private boolean losses() {
        return one.log().contains(LOSS) || two.log().contains(LOSS);
    }

    private Outcome expectOrderAndBound(String fault) {
        Outcome outcome = room.outcome(fault);
        SoftAssertions.assertSoftly(all -> {
            all.assertThat(outcome.order()).as("no place is lost").hasSize(PEOPLE);
            all.assertThat(outcome.tau()).as("order").isGreaterThanOrEqualTo(0.99);
            all.assertThat(outcome.overtakers()).as("overtakers").isLessThan(ACTIVE);
            all.assertThat(outcome.kept())
                    .as("requests with live passes that were served")
                    .isGreaterThanOrEqualTo(0.95);
            all.assertThat(outcome.peak()).as("concurrent sessions").isLessThanOrEqualTo(ACTIVE);
        });
        return outcome;
    }
}
