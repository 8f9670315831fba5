package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.Visits.SECOND;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plays one random history through the machine in Java and through a script in Redis, by one clock, until a response differs. The store loses
 * its memory now and then; nodes then say that they have told all they knew.
 */
final class Model {

    /** Nodes at once, at most; now and then another one comes in the place of one that said nothing. */
    static final int REPLICAS = 2;

    static final int NODES = 3;
    static final int STEPS = 200;

    private final RedisAsyncCommands<String, String> redis;
    private final String sha;
    private final Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);

    /** @param script that reads its clock from the last argument */
    Model(StatefulRedisConnection<String, String> connection, Script script) {
        this.redis = connection.async();
        this.sha = connection.sync().scriptLoad(script.text());
    }

    /** How often each kind of response was given so far. */
    Map<Kind, Integer> kinds() {
        return kinds;
    }

    /** What differed first in the history of that seed, or null. */
    @Nullable
    String difference(int seed) {
        redis.flushall();
        return new Play(seed).difference();
    }

    private final class Play {

        private final int seed;
        private final Random random;
        private final History history;
        private final RoomRules rules;
        private long now = 1_700_000_000L * SECOND;
        private Room room;
        /** By node, the epoch that it knows; none for a node that knows nothing. */
        private final Map<String, Long> known = new HashMap<>();

        private RoomOverrides overrides = RoomOverrides.NONE;
        private boolean notified = true;
        private int steps;
        private final List<Supplier<@Nullable String>> comparisons = new ArrayList<>();

        Play(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.history = new History(random);
            now += random.nextInt(1_000_000);
            this.rules = history.rules(now);
            this.room = new Room(rules, now);
        }

        /** Sends all of the history before it looks at the responses: what happens next depends on the machine in Java alone. */
        @Nullable
        String difference() {
            visit();
            while (steps < STEPS) {
                now += history.pause();
                happen();
                visit();
            }
            String difference = null;
            for (Supplier<@Nullable String> comparison : comparisons) {
                String found = comparison.get();
                difference = difference == null ? found : difference;
            }
            return difference;
        }

        /** What operators and faults do between two visits. */
        private void happen() {
            if (history.oneIn(60)) {
                String session = history.session();
                RoomReport report = report(history.node(steps));
                room.revoke(session, now);
                call(report, List.of(order("REVOKE", session)));
            }
            if (history.oneIn(40)) {
                overrides = history.controls(now).at(Math.max(now, overrides.stamp() + 1));
                room.control(overrides);
                notified = false;
            }
            if (history.oneIn(80)) {
                redis.flushall();
                room = new Room(rules, now);
                room.control(overrides);
                room.freeze(now + rules.pass());
                notified = false;
                // To one that knows nothing the room would be a new one.
                call(report(known.keySet().iterator().next()), List.of(order("LOOK", "")));
            } else if (history.oneIn(100)) {
                RoomReport report = report(history.node(steps));
                room.leave(report.node());
                call(report, List.of(order("BYE", "")));
            }
        }

        /** What one of the nodes tells with its next call; the machine in Java has taken it. */
        private RoomReport report(String node) {
            long epoch = room.snapshot(now).epoch();
            // The first call of all makes the room, and no server's age may count.
            int replicas = known.isEmpty() ? 0 : REPLICAS;
            RoomReport report = history.report(node, known.getOrDefault(node, 0L), now, replicas);
            room.report(report, now);
            if (!known.containsKey(node) || history.oneIn(4)) {
                known.put(node, epoch);
            }
            return report;
        }

        private void visit() {
            List<AdmissionRequest> visits = history.visits(now, STEPS - steps);
            RoomReport report = report(history.node(steps));
            List<AdmissionDecision> expected = new ArrayList<>();
            for (AdmissionRequest request : visits) {
                AdmissionDecision decision = room.decide(request, now);
                expected.add(decision);
                kinds.merge(decision.kind(), 1, Integer::sum);
                history.learn(decision);
            }
            String place = "seed " + seed + ", step " + steps + ": ";
            steps += visits.size();
            RedisFuture<List<Object>> response =
                    call(report, visits.stream().map(RoomCommand::arguments).toList());
            Expected all = new Expected(room.snapshot(now), room.nodes(), overrides, visits, expected);
            comparisons.add(() -> all.difference(place, new RoomReply(join(response))));
        }

        private List<String> order(String order, String name) {
            return RoomCommand.order(null, order, name, decision -> {}).arguments();
        }

        /** A node that doesn't know what an operator wants must be told by the store. */
        private RedisFuture<List<Object>> call(RoomReport report, List<List<String>> visits) {
            RoomOverrides carried = notified && random.nextBoolean() ? RoomOverrides.NONE : overrides;
            notified = true;
            List<String> arguments = new ArrayList<>();
            Keys.head(rules, carried, new Keys.Terms(0, report), arguments);
            visits.forEach(arguments::addAll);
            arguments.add(Long.toString(now));
            return redis.evalsha(
                    sha, ScriptOutputType.MULTI, new Keys("model").room("r"), arguments.toArray(String[]::new));
        }
    }

    private static List<Object> join(RedisFuture<List<Object>> response) {
        return response.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** What the machine in Java answered to one call. */
    private record Expected(
            AdmissionDecision.Snapshot room,
            int nodes,
            RoomOverrides overrides,
            List<AdmissionRequest> visits,
            List<AdmissionDecision> decisions) {

        @Nullable
        String difference(String place, RoomReply reply) {
            if (!reply.room().equals(room)) {
                return place + reply.room() + " (expected: " + room + ")";
            }
            if (reply.nodes() != nodes) {
                return place + reply.nodes() + " nodes (expected: " + nodes + ")";
            }
            if (!reply.overrides().equals(overrides)) {
                return place + reply.overrides() + " (expected: " + overrides + ")";
            }
            for (int i = 0; i < visits.size(); i++) {
                AdmissionDecision said = reply.decision(AdmissionDecision.Snapshot.NONE);
                AdmissionDecision meant = withoutRoom(decisions.get(i));
                if (!said.equals(meant)) {
                    return place + visits.get(i) + ": " + said + " (expected: " + meant + ")";
                }
            }
            return null;
        }
    }

    private static AdmissionDecision withoutRoom(AdmissionDecision d) {
        return new AdmissionDecision(
                d.kind(),
                d.position(),
                d.estimate(),
                d.retry(),
                d.ticket(),
                d.end(),
                d.hard(),
                d.vouched(),
                AdmissionDecision.Snapshot.NONE);
    }
}
