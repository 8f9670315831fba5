package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.Visits.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.Decision;
import dev.postern.ratelimit.queue.Decision.Kind;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.Visit;
import dev.postern.ratelimit.queue.Visit.Claim;
import dev.postern.ratelimit.queue.Visit.Intent;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same random histories through the Java machine and through the script, answer by answer. */
@Tag("faults")
class ModelIT {

    private static final int HISTORIES = 200;
    private static final int STEPS = 200;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    private static String sha = "";
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void connect() {
        client = RedisClient.create("redis://" + REDIS.address());
        connection = client.connect();
        sha = connection.sync().scriptLoad(ClockedScript.ROOM.text());
    }

    @AfterAll
    static void disconnect() {
        connection.close();
        client.shutdown();
    }

    @Test
    void scriptDecidesAsMachineDoes() {
        int decisions = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            decisions += replay(seed);
        }
        assertThat(decisions).isEqualTo(HISTORIES * STEPS);
        // Histories that never reach a corner prove nothing about it.
        assertThat(kinds.keySet())
                .containsExactlyInAnyOrder(Kind.BASE, Kind.ADMITTED, Kind.WAITING, Kind.FULL, Kind.LIMITED, Kind.TAKEN);
    }

    private int replay(int seed) {
        connection.sync().flushall();
        Random random = new Random(seed);
        RoomRules rules = History.rules(random);
        long now = 1_700_000_000L * SECOND + random.nextInt(1_000_000);
        Room room = new Room(rules, now);
        History history = new History(random);
        int steps = 0;
        while (steps < STEPS) {
            now += steps == 0 ? 0 : history.pause();
            if (random.nextInt(20) == 0) {
                rules = rules.in(RoomMode.values()[random.nextInt(RoomMode.values().length)]);
                room.rules(rules);
            }
            if (steps > 0 && random.nextInt(60) == 0) {
                String session = history.session();
                room.revoke(session, now);
                script(rules, now, List.of(List.of("REVOKE", session, "", "0", "0", "0", "0", "0", "")));
            }
            List<Visit> visits = history.visits(now, Math.min(1 + random.nextInt(4), STEPS - steps));
            List<List<String>> arguments =
                    visits.stream().map(Question::arguments).toList();
            List<Decision> expected = new ArrayList<>();
            for (Visit visit : visits) {
                expected.add(room.decide(visit, now));
            }
            RoomReply reply = script(rules, now, arguments);
            Decision.Snapshot snapshot = room.snapshot(now);
            assertThat(reply.room()).as("seed %d step %d", seed, steps).isEqualTo(snapshot);
            for (int i = 0; i < visits.size(); i++) {
                assertThat(withoutRoom(reply.decision(i, snapshot)))
                        .as("seed %d step %d: %s", seed, steps + i, visits.get(i))
                        .isEqualTo(withoutRoom(expected.get(i)));
                kinds.merge(expected.get(i).kind(), 1, Integer::sum);
                history.learn(expected.get(i));
            }
            steps += visits.size();
        }
        return steps;
    }

    private static Decision withoutRoom(Decision d) {
        return new Decision(
                d.kind(),
                d.position(),
                d.estimate(),
                d.retry(),
                d.ticket(),
                d.end(),
                d.hard(),
                d.vouched(),
                Decision.Snapshot.NONE);
    }

    private static RoomReply script(RoomRules rules, long now, List<List<String>> visits) {
        List<String> arguments = new ArrayList<>();
        Keys.head(rules, 0, 0, 0, arguments);
        visits.forEach(arguments::addAll);
        arguments.add(Long.toString(now));
        RedisCommands<String, String> redis = connection.sync();
        List<Object> reply = redis.evalsha(
                sha, ScriptOutputType.MULTI, new Keys("model").room("r"), arguments.toArray(String[]::new));
        return new RoomReply(reply);
    }

    /** Makes visits that find all corners of a room: few sessions, few credentials, claims of this and another memory. */
    private static final class History {

        private static final Intent[] INTENTS = Intent.values();

        private final Random random;
        private final List<Claim> given = new ArrayList<>(List.of(Claim.NONE));

        History(Random random) {
            this.random = random;
        }

        static RoomRules rules(Random random) {
            return new RoomRules(
                    1 + random.nextInt(5),
                    (5 + random.nextInt(60)) * SECOND,
                    (1 + random.nextInt(10)) * SECOND,
                    (1 + random.nextInt(10)) * SECOND,
                    random.nextInt(12),
                    new dev.postern.core.pace.Gcra(100_000L + random.nextInt(3_000_000), random.nextInt(2_000_000)));
        }

        long pause() {
            int kind = random.nextInt(10);
            if (kind < 5) {
                return random.nextInt(3);
            }
            return kind < 9 ? random.nextInt((int) SECOND) : random.nextInt((int) (12 * SECOND));
        }

        String session() {
            return "s" + random.nextInt(16);
        }

        List<Visit> visits(long now, int count) {
            List<Visit> visits = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Intent intent = random.nextInt(3) > 0 ? Intent.ENTER : INTENTS[random.nextInt(INTENTS.length)];
                String credential = random.nextInt(3) == 0 ? "c" + random.nextInt(10) : "";
                visits.add(new Visit(intent, session(), "k" + random.nextInt(3), claim(now), credential));
            }
            return visits;
        }

        void learn(Decision decision) {
            given.add(new Claim(
                    decision.room().epoch(),
                    decision.ticket(),
                    decision.room().now(),
                    decision.end(),
                    decision.hard()));
        }

        private Claim claim(long now) {
            if (random.nextInt(3) > 0) {
                return Claim.NONE;
            }
            Claim claim = given.get(random.nextInt(given.size()));
            if (random.nextBoolean()) {
                return claim;
            }
            long back = random.nextInt((int) (20 * SECOND));
            return new Claim(
                    1 + random.nextInt(3),
                    now - back,
                    now - back / 2,
                    random.nextBoolean() ? now + random.nextInt((int) (5 * SECOND)) : 0,
                    now + 5 * SECOND + random.nextInt((int) (20 * SECOND)));
        }
    }
}
