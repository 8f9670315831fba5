package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.poll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.RoomRules;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests how long a room admits no session by what its server says of itself: a young server may have lost passes that another node knows. The
 * server computes its uptime from its clock, so that it is less than nothing after a step back. A pass ends after 10 s of silence.
 */
class ServerUptimeIT {

    private static final RoomRules RULES =
            new RoomRules(1, 60 * SECOND, 10 * SECOND, 20 * SECOND, 100, new Gcra(3_600 * SECOND, 0));

    private static final String NEVER_NEGATIVE =
            "max(num(string.match(info, 'uptime_in_seconds:(-?%d+)') or '0') * 1000000, 0)";

    private static final int MOST = 100;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final RedisCommands<String, String> redis = REDIS.connection().sync();

    /** Returns the script with keys in place of what the server says. */
    private static Script told(Script script) {
        String own = "call('INFO', 'server')";
        assertThat(script.text()).contains(own);
        return Script.of(script.text()
                .replace(own, "'run_id:' .. call('GET', 'run') .. '\\nuptime_in_seconds:' .. call('GET', 'uptime')"));
    }

    private SteppedRoom room(Script script) {
        SteppedRoom room = new SteppedRoom(REDIS.connection(), told(script), RULES);
        say("0a1b", 0);
        return room;
    }

    private void say(String run, long uptime) {
        redis.set("run", run);
        redis.set("uptime", Long.toString(uptime));
    }

    /** Returns after how many seconds a new session is admitted by one of two nodes, the other of which is away. */
    private int awaitedSeconds(Script script, long uptime) {
        SteppedRoom room = room(script);
        say("0a1b", uptime);
        SteppedRoom.Node node = room.new Node("n0", 2);
        assertThat(node.ask(enter("base")).kind()).isEqualTo(Kind.BASE);
        node.ask(enter("s"));
        return admittedAfter(room, node, "s");
    }

    private static int admittedAfter(SteppedRoom room, SteppedRoom.Node node, String session) {
        for (int seconds = 0; seconds < MOST; seconds++) {
            if (node.ask(poll(session)).kind() == Kind.ADMITTED) {
                return seconds;
            }
            room.pass(SECOND);
        }
        return MOST;
    }

    @ParameterizedTest
    @CsvSource({"-3600, 10", "-1, 10", "0, 10", "4, 6", "9, 1", "10, 0", "11, 0", "86400, 0"})
    void aYoungServerAdmitsNobodyUntilASilentPassHasEnded(long uptime, int seconds) {
        assertThat(awaitedSeconds(ClockedScript.ROOM, uptime)).isEqualTo(seconds);
    }

    @Test
    void aNegativeUptimeThatCountsIsFound() {
        Script wrong = ClockedScript.with(
                NEVER_NEGATIVE, "num(string.match(info, 'uptime_in_seconds:(-?%d+)') or '0') * 1000000");
        assertThat(awaitedSeconds(wrong, -3_600)).isEqualTo(MOST);
    }

    /** The room knows the server: its uptime says nothing new, though the step makes it young again. */
    @ParameterizedTest
    @ValueSource(longs = {-3_600, 0, 3})
    void anUptimeThatGoesBackDelaysNobody(long uptime) {
        SteppedRoom room = room(ClockedScript.ROOM);
        say("0a1b", 86_400);
        SteppedRoom.Node node = room.new Node("n0", 1);
        for (String session : new String[] {"base", "in", "next"}) {
            node.ask(enter(session));
        }
        room.step(-3_600 * SECOND);
        say("0a1b", uptime);
        assertThat(admittedAfter(room, node, "next"))
                .as("when the pass has been idle for 10 s")
                .isBetween(10, 11);
    }

    /** Another server may lack the last passes, for at most the lifetime of a pass, however old it is. */
    @ParameterizedTest
    @ValueSource(longs = {-3_600, 0, 86_400})
    void anotherServerAdmitsNobodyForTheTimeOfAPass(long uptime) {
        SteppedRoom room = room(ClockedScript.ROOM);
        say("0a1b", 86_400);
        SteppedRoom.Node node = room.new Node("n0", 2);
        node.ask(enter("base"));
        room.promoteReplica(0);
        say("ffee", uptime);
        node.ask(enter("next"));
        assertThat(admittedAfter(room, node, "next")).isBetween(60, 61);
    }
}
