package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plays one random history of a queue of thousands of sessions through the Java room and through a script. Decisions, tickets and the
 * places near the front must be equal; a position further back may differ by a mark's distance and by the changes since the marks were read.
 */
final class LongQueueComparison {

    private static final int SESSIONS = 6_000;
    private static final int CALLS = 400;
    private static final int VISITS = 64;
    /** Number of calls in which all sessions come for the first time. */
    private static final int FILLING = SESSIONS / VISITS;

    private static final int ACTIVE = 700;
    private static final int COUNTED = 256;
    private static final int MARKS = 64;
    private static final int CATCHING_UP = 6;
    private static final String NODE = "n0";

    private final RedisAsyncCommands<String, String> redis;
    private final String sha;

    /** @param script that reads its clock from the last argument */
    LongQueueComparison(StatefulRedisConnection<String, String> connection, Script script) {
        this.redis = connection.async();
        this.sha = connection.sync().scriptLoad(script.text());
    }

    /** Returns the first difference in the history of the seed, or null. With an odd seed the sessions have tenants. */
    @Nullable
    String difference(int seed) {
        redis.flushall();
        return new History(seed).difference();
    }

    private final class History {

        private final Random random;
        private final boolean tenants;
        private final RoomRules rules = new RoomRules(
                        ACTIVE, 60 * SECOND, SECOND, 4 * SECOND, SESSIONS, new Gcra(3_600 * SECOND, 0))
                .keeping(6 * SECOND);
        private long now = 1_700_000_000L * SECOND;
        private final Room room = new Room(rules, now);
        private boolean begun;
        /** Number of places taken and left, by the time of the call. */
        private final NavigableMap<Long, Long> changes = new TreeMap<>();

        History(int seed) {
            this.random = new Random(seed);
            this.tenants = seed % 2 == 1;
        }

        @Nullable
        String difference() {
            for (int i = 0; i < CALLS; i++) {
                now += begun ? 1_000 + random.nextInt(30_000) : 0; // the script's memory begins with the first call
                String found = call(i);
                if (found != null) {
                    return "call " + i + ": " + found;
                }
            }
            return null;
        }

        private @Nullable String call(int number) {
            long epoch = room.snapshot(now).epoch();
            long waitingBefore = room.snapshot(now).waiting();
            RoomReport report = new RoomReport(NODE, begun ? epoch : 0, now, 1, begun ? 1 : 0);
            begun = true;
            room.report(report, now);
            for (int i = 0; i < CATCHING_UP; i++) {
                // A call of the script removes as many ended entries as one step of the Java room.
                send(
                        report,
                        List.of(RoomCommand.order(null, "LOOK", "", decision -> {})
                                .arguments()));
            }
            List<AdmissionRequest> requests = visits(number);
            List<AdmissionDecision> expected = new ArrayList<>();
            long changed = 0;
            for (AdmissionRequest request : requests) {
                AdmissionDecision decision = room.decide(request, now);
                expected.add(decision);
                changed += Math.abs(decision.room().waiting() - waitingBefore);
                waitingBefore = decision.room().waiting();
            }
            changes.put(now, changed);
            RoomReply reply = new RoomReply(
                    send(report, requests.stream().map(RoomCommand::arguments).toList())
                            .toCompletableFuture()
                            .orTimeout(30, TimeUnit.SECONDS)
                            .join(),
                    rules);
            return difference(requests, expected, reply);
        }

        private RedisFuture<List<Object>> send(RoomReport report, List<List<String>> requests) {
            List<String> arguments = new ArrayList<>();
            Keys.head(rules, RoomOverrides.NONE, new Keys.Terms(0, now, report), arguments);
            requests.forEach(arguments::addAll);
            arguments.add(Long.toString(now));
            String[] keys = new Keys("long").room("r");
            return redis.evalsha(sha, ScriptOutputType.MULTI, keys, arguments.toArray(String[]::new));
        }

        private List<AdmissionRequest> visits(int number) {
            List<AdmissionRequest> requests = new ArrayList<>();
            for (int i = 0; i < VISITS; i++) {
                boolean first = number < FILLING;
                int session = first ? number * VISITS + i : random.nextInt(SESSIONS);
                Intent intent = first || random.nextInt(4) == 0 ? Intent.ENTER : Intent.POLL;
                TenantShare share = tenants ? new TenantShare("t" + session % 3, 1 + session % 3) : TenantShare.NONE;
                requests.add(new AdmissionRequest(intent, "s" + session, "k", Claim.NONE, "", share));
            }
            return requests;
        }

        private @Nullable String difference(
                List<AdmissionRequest> requests, List<AdmissionDecision> expected, RoomReply reply) {
            Snapshot room = reply.room();
            if (room.waiting() != expected.get(VISITS - 1).room().waiting()) {
                return room + " (expected: " + expected.get(VISITS - 1).room() + ")";
            }
            for (int i = 0; i < VISITS; i++) {
                AdmissionDecision decision = expected.get(i);
                AdmissionDecision actual = reply.decision(Snapshot.NONE);
                if (actual.kind() != decision.kind()
                        || actual.ticket() != decision.ticket()
                        || Math.abs(actual.position() - decision.position()) > tolerance(decision)) {
                    return requests.get(i) + ": " + actual + " (expected: " + decision + ", tolerance "
                            + tolerance(decision) + ")";
                }
            }
            return null;
        }

        private long tolerance(AdmissionDecision decision) {
            if (decision.position() <= COUNTED) {
                return 0;
            }
            long recent = changes.tailMap(now - SECOND).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return decision.room().waiting() / MARKS + recent + VISITS;
        }
    }
}
