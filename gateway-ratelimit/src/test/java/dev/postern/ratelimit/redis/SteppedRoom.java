package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomClock;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;

/**
 * Empty room in Redis that nodes call as real ones do, with a clock of the server that a test sets. Verifies with each call that the room's
 * clock goes by the rule of {@link RoomClock}.
 */
final class SteppedRoom {

    static final long DEADLINE = 100_000;

    /** Resolution of the time of the last call in the script. */
    private static final long CALLED = 250_000;

    private final RedisCommands<String, String> redis;
    private final String sha;
    private final RoomRules rules;
    private long real = 1_700_000_000L * SECOND;
    private long serverAhead;
    private long called;
    private long shift;
    private boolean anew = true;

    SteppedRoom(StatefulRedisConnection<String, String> connection, Script script, RoomRules rules) {
        this.redis = connection.sync();
        this.sha = redis.scriptLoad(script.text());
        this.rules = rules;
        redis.flushall();
    }

    /** Returns the monotonic time of the nodes. */
    long real() {
        return real;
    }

    /** Returns the time of the server's clock. */
    long wall() {
        return real + serverAhead;
    }

    void pass(long micros) {
        real += micros;
    }

    /** Sets the clock of the server. */
    void step(long micros) {
        serverAhead += micros;
    }

    /** Lets an empty server with another clock take over. */
    void replaceServer(long otherAhead) {
        redis.flushall();
        serverAhead = otherAhead;
        anew = true;
    }

    /** Lets another server take over, with the data of the first and another clock. */
    void promoteReplica(long otherAhead) {
        redis.hset(new Keys("stepped").room("r")[0], "server", "another");
        serverAhead = otherAhead;
        anew = true;
    }

    /** Node that calls the room. */
    final class Node {

        private final String name;
        private final int replicas;
        private long ahead;
        private long leastAhead;
        private boolean informed;
        private long epoch;

        Node(String name, int replicas) {
            this.name = name;
            this.replicas = replicas;
        }

        /** Converts a time of the nodes to the room's clock, as the node knows it. */
        long roomClock(long instant) {
            return instant + ahead;
        }

        /** Records that the node has reported all it knows to a room that lost its memory. */
        void reported(Snapshot room) {
            epoch = room.epoch();
        }

        AdmissionDecision ask(AdmissionRequest request) {
            return ask(List.of(request), real, real).get(0);
        }

        Snapshot look() {
            List<String> look =
                    RoomCommand.order(null, "LOOK", "", decision -> {}).arguments();
            return call(List.of(look), real, real).room();
        }

        /**
         * Sends requests in one call, again if it is late.
         *
         * @param sentAt time at which the node sent the call; now is when the server executes it
         * @param reported time up to which the node has reported
         */
        List<AdmissionDecision> ask(List<AdmissionRequest> requests, long sentAt, long reported) {
            List<List<String>> arguments =
                    requests.stream().map(RoomCommand::arguments).toList();
            RoomReply reply = call(arguments, sentAt, reported);
            if (reply.late()) {
                reply = call(arguments, real, reported);
            }
            assertThat(reply.late()).as("late again").isFalse();
            Snapshot room = reply.room();
            List<AdmissionDecision> decisions = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
                decisions.add(reply.decision(room));
            }
            return decisions;
        }

        private RoomReply call(List<List<String>> requests, long sentAt, long reported) {
            long sent = informed ? sentAt + ahead : 0;
            RoomReport report = new RoomReport(name, epoch, reported + leastAhead - DEADLINE, 2, replicas);
            List<String> arguments = new ArrayList<>();
            Keys.Terms terms = new Keys.Terms(informed ? sent + DEADLINE : 0, sent, report);
            Keys.head(rules, RoomOverrides.NONE, terms, arguments);
            requests.forEach(arguments::addAll);
            arguments.add(Long.toString(wall()));
            RoomReply reply = new RoomReply(
                    redis.evalsha(
                            sha,
                            ScriptOutputType.MULTI,
                            new Keys("stepped").room("r"),
                            arguments.toArray(String[]::new)),
                    rules);
            verifyTime(sent, reply);
            ahead = reply.room().now() - sentAt;
            leastAhead = reply.room().now() - real;
            if (!informed) {
                epoch = reply.room().epoch();
            }
            informed = true;
            return reply;
        }
    }

    private void verifyTime(long sent, RoomReply reply) {
        long clock = wall() - shift;
        long now = reply.room().now();
        if (anew) {
            shift = wall() - now;
            called = 0;
            anew = false;
        } else {
            long believed = sent == 0 && clock > called + rules.pass() ? clock : sent;
            assertThat(now).as("room's clock").isEqualTo(RoomClock.next(called, clock, believed));
        }
        if (!reply.late()) {
            shift = now == clock ? shift : wall() - now;
            called = now - called > CALLED ? now : called;
        }
    }
}
