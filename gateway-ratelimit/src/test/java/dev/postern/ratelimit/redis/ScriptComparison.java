package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;

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
 * Plays one random sequence of events through the Java room and through a script in Redis, with one clock, until a response differs. The store loses
 * its state at random; nodes then report all that they know. From seed {@link #STEPPING} the server's clock
 * steps at random; the room's clock does not.
 */
final class ScriptComparison {

    /** Nodes at once; at random another one replaces a silent one. */
    static final int REPLICAS = 2;

    static final int NODES = 3;
    static final int STEPS = 200;

    /** First seed whose history has a clock of the server that steps; in every second of them there is no outage. */
    static final int STEPPING = 1_000;

    /** Of so many histories one begins with events that random ones rarely have. */
    private static final int DIRECTED = 50;

    private final RedisAsyncCommands<String, String> redis;
    private final String sha;
    private final Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);

    /** @param script that reads its clock from the last argument */
    ScriptComparison(StatefulRedisConnection<String, String> connection, Script script) {
        this.redis = connection.async();
        this.sha = connection.sync().scriptLoad(script.text());
    }

    /** Returns the number of decisions of each kind so far. */
    Map<Kind, Integer> kinds() {
        return kinds;
    }

    /** Returns the first difference in the run of the seed, or null. */
    @Nullable
    String difference(int seed) {
        redis.flushall();
        return new Run(seed).difference();
    }

    private final class Run {

        private final int seed;
        private final Random random;
        private final RandomRoomEvents events;
        /** Separate, so that steps of the clock change no other event. */
        private final Random clocks;

        private final RoomRules rules;
        private long now = 1_700_000_000L * SECOND;
        private Room room;
        /** By how much the server's clock is ahead of the room's. */
        private long wallAhead;
        /** Maps nodes to the epoch that they know; has no entry for a node that knows none. */
        private final Map<String, Long> known = new HashMap<>();

        private RoomOverrides overrides = RoomOverrides.NONE;
        private boolean notified = true;
        private int steps;
        private final List<Supplier<@Nullable String>> comparisons = new ArrayList<>();

        Run(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.events =
                    new RandomRoomEvents(random, seed >= STEPPING && seed % 2 == 0, seed % DIRECTED == DIRECTED - 1);
            this.clocks = new Random(seed);
            now += random.nextInt(1_000_000);
            this.rules = events.rules(now);
            this.room = new Room(rules, now);
        }

        /** Sends all events before it reads the responses: each step depends on the Java room alone. */
        @Nullable
        String difference() {
            for (RandomRoomEvents.Step step : events.beginning(now)) {
                now += step.pause();
                visit("n0", step.requests());
            }
            visit();
            while (steps < STEPS) {
                now += events.pause();
                applyFaults();
                visit();
            }
            String difference = null;
            for (Supplier<@Nullable String> comparison : comparisons) {
                String found = comparison.get();
                difference = difference == null ? found : difference;
            }
            return difference;
        }

        /** Applies changes of operators and faults between two visits. */
        private void applyFaults() {
            if (events.oneIn(60)) {
                String session = events.session();
                RoomReport report = report(events.node(steps));
                room.revoke(session, now);
                call(report, List.of(order("REVOKE", session)));
            }
            if (events.oneIn(40)) {
                overrides = events.controls(now).at(Math.max(now, overrides.stamp() + 1));
                room.control(overrides);
                notified = false;
            }
            if (seed >= STEPPING && clocks.nextInt(50) == 0) {
                wallAhead += RandomRoomEvents.step(clocks);
                room.wallAhead(wallAhead);
            }
            if (events.oneIn(80)) {
                redis.flushall();
                room = new Room(rules, now);
                room.wallAhead(wallAhead);
                room.control(overrides);
                room.freeze(now + rules.pass());
                notified = false;
                // For a node without an epoch the room would be new.
                call(report(known.keySet().iterator().next()), List.of(order("LOOK", "")));
            } else if (events.oneIn(100)) {
                RoomReport report = report(events.node(steps));
                room.leave(report.node());
                call(report, List.of(order("BYE", "")));
            }
        }

        /** Returns the report that the next call of the node carries, and applies it to the Java room. */
        private RoomReport report(String node) {
            long epoch = room.snapshot(now).epoch();
            // The first call creates the room, and the age of a server must not count.
            int replicas = known.isEmpty() ? 0 : REPLICAS;
            RoomReport report = events.report(node, known.getOrDefault(node, 0L), now, replicas);
            room.report(report, now);
            if (!known.containsKey(node) || events.oneIn(4)) {
                known.put(node, epoch);
            }
            return report;
        }

        private void visit() {
            List<AdmissionRequest> requests = events.visits(now, STEPS - steps);
            visit(events.node(steps), requests);
        }

        private void visit(String node, List<AdmissionRequest> requests) {
            RoomReport report = report(node);
            List<AdmissionDecision> expected = new ArrayList<>();
            for (AdmissionRequest request : requests) {
                AdmissionDecision decision = room.decide(request, now);
                expected.add(decision);
                kinds.merge(decision.kind(), 1, Integer::sum);
                events.record(decision);
            }
            String position = "seed " + seed + ", step " + steps + ": ";
            steps += requests.size();
            RedisFuture<List<Object>> response =
                    call(report, requests.stream().map(RoomCommand::arguments).toList());
            Expected all = new Expected(room.snapshot(now), room.nodes(), overrides, requests, expected);
            comparisons.add(() -> all.difference(position, new RoomReply(join(response), rules)));
        }

        private List<String> order(String order, String name) {
            return RoomCommand.order(null, order, name, decision -> {}).arguments();
        }

        /** Sends the visits. The store must send the overrides to a node that does not know them. */
        private RedisFuture<List<Object>> call(RoomReport report, List<List<String>> visits) {
            RoomOverrides carried = notified && random.nextBoolean() ? RoomOverrides.NONE : overrides;
            notified = true;
            List<String> arguments = new ArrayList<>();
            Keys.head(rules, carried, new Keys.Terms(0, now, report), arguments);
            visits.forEach(arguments::addAll);
            arguments.add(Long.toString(now + wallAhead));
            return redis.evalsha(
                    sha, ScriptOutputType.MULTI, new Keys("model").room("r"), arguments.toArray(String[]::new));
        }
    }

    private static List<Object> join(RedisFuture<List<Object>> response) {
        return response.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Holds the decisions of the Java room for one call. */
    private record Expected(
            AdmissionDecision.Snapshot room,
            int nodes,
            RoomOverrides overrides,
            List<AdmissionRequest> requests,
            List<AdmissionDecision> decisions) {

        @Nullable
        String difference(String position, RoomReply reply) {
            if (!reply.room().equals(room)) {
                return position + reply.room() + " (expected: " + room + ")";
            }
            if (reply.nodes() != nodes) {
                return position + reply.nodes() + " nodes (expected: " + nodes + ")";
            }
            if (!reply.overrides().equals(overrides)) {
                return position + reply.overrides() + " (expected: " + overrides + ")";
            }
            for (int i = 0; i < requests.size(); i++) {
                AdmissionDecision actual = reply.decision(AdmissionDecision.Snapshot.NONE);
                AdmissionDecision expectedDecision = withoutRoom(decisions.get(i));
                if (!actual.equals(expectedDecision)) {
                    return position + requests.get(i) + ": " + actual + " (expected: " + expectedDecision + ")";
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
                d.openedTicket(),
                AdmissionDecision.Snapshot.NONE);
    }
}
