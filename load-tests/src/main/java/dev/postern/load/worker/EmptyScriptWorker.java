package dev.postern.load.worker;

import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * Empty script worker: calls a script that does nothing as often as one connection of the gateway's client library can:
 * the limit of a waiting room in Redis. Each call has the keys and arguments of a call of a room with {@value #DECISIONS}
 * polls, and as many calls are under way as {@link RoomWorker} has. Argument: Redis' port. A question is the number of
 * seconds; its response is {@link Decisions}, in which a call counts as one.
 */
public final class EmptyScriptWorker implements Worker.Task {
    private static final String EMPTY = "return 0";
    /** Number of decisions in a call of a full batch of the gateway. */
    private static final int DECISIONS = 64;

    private static final int AT_ONCE = RoomWorker.AT_ONCE / DECISIONS;
    private static final int KEYS = 17;
    /** Time of Redis' clock, for its length. */
    private static final long NOW = 1_700_000_000_000_000L;

    private final StatefulRedisConnection<String, String> connection;
    private final EventLoop loop = Worker.loop();
    private final String sha;
    private final String[] keys = keys();
    private final String[] arguments = arguments();

    EmptyScriptWorker(String... port) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port[0]);
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        this.connection = client.connect();
        this.sha = connection.sync().scriptLoad(EMPTY);
        connection.setAutoFlushCommands(false);
    }

    @Override
    public Decisions response(String... words) {
        double seconds = Double.parseDouble(words[0]);
        return Decisions.of(
                () -> {
                    long end = System.nanoTime() + (long) (seconds * 1e9);
                    return new ClosedLoop(calls -> System.nanoTime() < end && call(calls)).run(loop, AT_ONCE);
                },
                calls -> calls);
    }

    private boolean call(ClosedLoop calls) {
        connection
                .async()
                .<Long>evalsha(sha, ScriptOutputType.INTEGER, keys, arguments)
                .whenComplete((result, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        calls.responded();
                    } else {
                        calls.fail("empty script: " + failure + " (expected: a response)");
                    }
                }));
        connection.flushCommands();
        return true;
    }

    private static String[] keys() {
        String[] keys = new String[KEYS];
        Arrays.setAll(keys, i -> "postern:bench:q5:{r:waiting1000000}:" + (char) ('a' + i));
        return keys;
    }

    /** Returns rules, deadline, epoch, overrides, report and time of a call, and its polls. */
    private static String[] arguments() {
        String now = Long.toString(NOW);
        String hour = "3600000000";
        List<String> made =
                new ArrayList<>(List.of("1", hour, hour, hour + "00", "1000000", hour, "0", "0", now, now, "1"));
        made.addAll(Collections.nCopies(6, "0"));
        made.addAll(List.of(new UUID(NOW, NOW).toString(), now, "1", hour + "00", "1000000", now));
        for (AdmissionRequest poll : RoomSessions.of("waiting", "1000000").again(DECISIONS, NOW, 0)) {
            Claim claim = poll.claim();
            made.addAll(List.of(
                    poll.intent().name(),
                    poll.session(),
                    poll.key(),
                    claim.epoch() + " " + claim.ticket() + " " + claim.seen() + " 0 0",
                    "",
                    ""));
        }
        return made.toArray(String[]::new);
    }
}
