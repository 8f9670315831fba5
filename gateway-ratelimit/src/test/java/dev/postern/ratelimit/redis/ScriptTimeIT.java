package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.fetch;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import io.lettuce.core.ScriptOutputType;
import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the scripts with a clock of the server that steps, stands still for the nodes, and differs from that of another server. */
class ScriptTimeIT {

    private static final long HOUR = 3_600 * SECOND;
    private static final int ACTIVE = 3;
    private static final int PEOPLE = 28;
    private static final RoomRules RULES =
            new RoomRules(ACTIVE, 60 * SECOND, 10 * SECOND, 20 * SECOND, 100, new Gcra(HOUR, 0));

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static ResourceLeakDetector.Level watch = ResourceLeakDetector.Level.PARANOID;

    @BeforeAll
    static void stopTracking() {
        // Resource tracking of the client would take most of the time, and the client is not under test.
        watch = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterAll
    static void track() {
        ResourceLeakDetector.setLevel(watch);
    }

    private static SteppedRoom room(RoomRules rules) {
        return room(ClockedScript.ROOM, rules);
    }

    private static SteppedRoom room(Script script, RoomRules rules) {
        return new SteppedRoom(REDIS.connection(), script, rules);
    }

    /** Fills all slots and lets one more session wait. */
    private static void fill(SteppedRoom.Node node) {
        node.look();
        for (String session : List.of("base", "a", "b", "c", "w")) {
            node.ask(enter(session));
        }
    }

    /** Lets a node call once a second and a quarter, as it does for a quiet room, for so many calls. */
    private static void goOn(SteppedRoom room, SteppedRoom.Node node, int calls, AdmissionRequest... requests) {
        for (int i = 0; i < calls; i++) {
            room.pass(SECOND + SECOND / 4);
            node.look();
            for (AdmissionRequest request : requests) {
                node.ask(request);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-2 * HOUR, -HOUR, -600 * SECOND, -2 * SECOND, 2 * SECOND, 600 * SECOND, HOUR, 2 * HOUR})
    void aStepEndsNoPassAndNoPlaceAndDelaysNone(long step) {
        SteppedRoom room = room(RULES);
        SteppedRoom.Node node = room.new Node("n0", 1);
        fill(node);
        room.pass(SECOND);
        room.step(step);

        assertThat(node.ask(fetch("a")).kind()).isEqualTo(Kind.ADMITTED);
        AdmissionDecision waiting = node.ask(poll("w"));
        assertThat(waiting.kind()).isEqualTo(Kind.WAITING);
        assertThat(waiting.room().active()).isEqualTo(ACTIVE);
        goOn(room, node, 9, poll("w"));
        assertThat(node.ask(poll("w")).kind())
                .as("admitted when the passes have been idle for 10 s")
                .isEqualTo(Kind.ADMITTED);
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR, HOUR})
    void anEmptyServerWithAnotherClockKeepsOrderAndEnds(long ahead) {
        SteppedRoom room = room(RULES);
        SteppedRoom.Node node = room.new Node("n0", 1);
        fill(node);
        Snapshot before = node.look();
        AdmissionDecision place = node.ask(poll("w"));
        AdmissionDecision pass = node.ask(fetch("a"));
        room.pass(SECOND);
        room.replaceServer(ahead);
        node.look();

        Claim held = new Claim(before.epoch(), 0, 0, pass.end(), pass.hard());
        AdmissionDecision kept = node.ask(AdmissionRequest.of(Intent.RENEW, "a", held));
        assertThat(kept.kind()).isEqualTo(Kind.ADMITTED);
        assertThat(kept.hard() - kept.room().now()).isBetween(58 * SECOND, 60 * SECOND);
        Claim ticket = new Claim(before.epoch(), place.ticket(), place.room().now(), 0, 0);
        assertThat(node.ask(new AdmissionRequest(Intent.ENTER, "late", "all", Claim.NONE, "", TenantShare.NONE))
                        .position())
                .isEqualTo(1);
        assertThat(node.ask(new AdmissionRequest(Intent.KEEP, "w", "", ticket, "", TenantShare.NONE))
                        .position())
                .isEqualTo(1);
        assertThat(node.ask(poll("late")).position()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR, HOUR})
    void anEmptyServerThatANewNodeCallsFirstKeepsTheOrder(long ahead) {
        assertThat(isAheadAtAnEmptyServer(ClockedScript.ROOM, ahead)).isTrue();
    }

    @Test
    void aRestoredPlaceThatIsOvertakenIsFound() {
        Script wrong = ClockedScript.with("    if ticket > last then\n", "    if false then\n");
        assertThat(isAheadAtAnEmptyServer(wrong, -HOUR)).isFalse();
    }

    /** Returns whether a session that waited before another server took over is ahead of one that came afterwards. */
    private static boolean isAheadAtAnEmptyServer(Script script, long ahead) {
        SteppedRoom room = room(script, RULES);
        SteppedRoom.Node node = room.new Node("n0", 2);
        fill(node);
        long epoch = node.look().epoch();
        AdmissionDecision place = node.ask(poll("w"));
        long seen = room.real();
        room.pass(SECOND);
        room.replaceServer(ahead);
        SteppedRoom.Node newNode = room.new Node("new", 2);
        newNode.look();
        for (String session : List.of("passes", "x", "y", "z")) {
            newNode.ask(enter(session));
        }
        node.look();

        Claim ticket = new Claim(epoch, place.ticket(), node.roomClock(seen), 0, 0);
        node.ask(new AdmissionRequest(Intent.KEEP, "w", "", ticket, "", TenantShare.NONE));
        node.ask(enter("late"));
        return node.ask(poll("w")).position() < node.ask(poll("late")).position();
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR, HOUR})
    void aReplicaWithAnotherClockKeepsPassesAndPlaces(long ahead) {
        SteppedRoom room = room(RULES);
        SteppedRoom.Node node = room.new Node("n0", 1);
        fill(node);
        room.pass(SECOND);
        room.promoteReplica(ahead);
        node.reported(node.look());
        assertThat(node.ask(fetch("a")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(node.ask(poll("w")).position()).isEqualTo(1);
        goOn(room, node, 9, poll("w"));
        assertThat(node.ask(poll("w")).kind()).as("the passes are idle").isEqualTo(Kind.ADMITTED);
    }

    @Test
    void theTimeWithoutNodesIsNoAbsence() {
        SteppedRoom room = room(RULES);
        fill(room.new Node("n0", 1));
        room.pass(40 * SECOND);
        SteppedRoom.Node restarted = room.new Node("n1", 1);
        assertThat(restarted.ask(poll("w")).position()).isEqualTo(1);
        room.pass(600 * SECOND);
        assertThat(room.new Node("n2", 1).look().active())
                .as("longer than a pass: nothing of it can last")
                .isZero();
    }

    @Test
    void aClockThatIsSetBackReopensNothing() {
        SteppedRoom early = room(RULES);
        RoomRules rules = new RoomRules(
                ACTIVE,
                60 * SECOND,
                10 * SECOND,
                20 * SECOND,
                20 * SECOND,
                100,
                RULES.base(),
                early.wall() + 600 * SECOND);
        SteppedRoom room = room(rules);
        SteppedRoom.Node node = room.new Node("n0", 1);
        AdmissionDecision waiting = node.ask(enter("early"));
        assertThat(waiting.position()).isZero();
        assertThat(waiting.estimate()).isEqualTo(600 * SECOND);
        room.step(HOUR);
        room.pass(SECOND);
        assertThat(node.ask(poll("early")).kind()).as("the wall clock opens").isEqualTo(Kind.ADMITTED);
        room.step(-HOUR);
        assertThat(node.ask(enter("late")).kind()).as("stays open").isEqualTo(Kind.BASE);
        assertThat(node.ask(enter("later")).kind()).isEqualTo(Kind.ADMITTED);
    }

    @ParameterizedTest
    @ValueSource(longs = {-2 * HOUR, -600 * SECOND, HOUR})
    void aStepDelaysNoLimitLongerThanItsInterval(long step) {
        REDIS.connection().sync().flushall();
        String sha = REDIS.connection().sync().scriptLoad(ClockedScript.LIMIT.text());
        long now = 1_700_000_000L * SECOND;
        for (int i = 0; i < 3; i++) {
            assertThat(limit(sha, now).get(2)).as("request %d", i).isEqualTo(1);
        }
        assertThat(limit(sha, now).get(2)).as("used up").isZero();
        List<Long> reply = limit(sha, now + step);
        assertThat(reply.get(3)).isLessThanOrEqualTo(SECOND);
        assertThat(limit(sha, now + step + SECOND).get(2)).isEqualTo(1);
    }

    private static List<Long> limit(String sha, long now) {
        String[] keys = {new Keys("stepped").limit("k")};
        String[] arguments = {"0", Long.toString(SECOND), Long.toString(2 * SECOND), Long.toString(now)};
        return REDIS.connection().sync().evalsha(sha, ScriptOutputType.MULTI, keys, arguments);
    }

    @Test
    void jumpsPausesAndDriftChangeNeitherOrderNorBound() {
        for (int seed = 0; seed < 10; seed++) {
            assertThat(new History(seed).order())
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(0, PEOPLE).boxed().toList());
        }
    }

    /** History of a room: each second another node polls for all clients, in the order of their arrival. */
    private static final class History {

        private final Random random;
        private final SteppedRoom room = room(RULES);
        private final List<SteppedRoom.Node> nodes = List.of(room.new Node("n0", 2), room.new Node("n1", 2));
        private final Map<Integer, Integer> using = new LinkedHashMap<>();
        private final List<Integer> waiting = new ArrayList<>();
        private final List<Integer> admitted = new ArrayList<>();
        private long reported = room.real();

        History(int seed) {
            random = new Random(seed);
            nodes.forEach(SteppedRoom.Node::look);
            nodes.get(0).ask(enter("base"));
        }

        List<Integer> order() {
            for (int second = 0; admitted.size() < PEOPLE; second++) {
                assertThat(second).as("seconds for %s", admitted).isLessThan(1_000);
                long sentAt = room.real();
                disturb();
                if (random.nextInt(30) == 0) {
                    room.pass(25 * SECOND); // the server is stopped
                    if (random.nextBoolean()) {
                        sentAt = room.real(); // and the connection was replaced
                    }
                }
                useAndPoll(nodes.get(second % 2), sentAt);
                nodes.get((second + 1) % 2).ask(List.of(poll("nobody")), sentAt, reported);
                reported = room.real();
                room.pass(SECOND);
            }
            return admitted;
        }

        private void disturb() {
            switch (random.nextInt(12)) {
                case 0 -> room.step(HOUR);
                case 1 -> room.step(-HOUR);
                case 2 -> room.step(random.nextInt(20_000) - 10_000);
                default -> {}
            }
        }

        private void useAndPoll(SteppedRoom.Node node, long sentAt) {
            using.replaceAll((number, left) -> left - 1);
            using.values().removeIf(left -> left == 0);
            List<Integer> numbers = new ArrayList<>(using.keySet());
            numbers.addAll(waiting);
            List<AdmissionRequest> requests = new ArrayList<>();
            using.keySet().forEach(number -> requests.add(fetch("s" + number)));
            waiting.forEach(number -> requests.add(poll("s" + number)));
            if (admitted.size() + waiting.size() < PEOPLE) {
                int next = admitted.size() + waiting.size();
                numbers.add(next);
                waiting.add(next);
                requests.add(enter("s" + next));
            }
            List<AdmissionDecision> decisions = node.ask(requests, sentAt, reported);
            for (int i = 0; i < numbers.size(); i++) {
                note(numbers.get(i), decisions.get(i));
            }
        }

        private void note(int number, AdmissionDecision decision) {
            assertThat(decision.room().active()).isLessThanOrEqualTo(ACTIVE);
            assertThat(decision.retry()).isLessThanOrEqualTo(10 * SECOND);
            if (using.containsKey(number)) {
                assertThat(decision.kind()).as("pass in use of %d", number).isEqualTo(Kind.ADMITTED);
            } else if (decision.kind() == Kind.ADMITTED) {
                waiting.remove((Integer) number);
                admitted.add(number);
                using.put(number, 2 + random.nextInt(6));
                assertThat(using).hasSizeLessThanOrEqualTo(ACTIVE);
            } else {
                assertThat(decision.kind()).as("place of %d", number).isEqualTo(Kind.WAITING);
            }
        }
    }
}
