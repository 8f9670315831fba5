package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the passes of two nodes while Redis does not respond. Two sessions may be active; a pass ends after 10 s of silence, and a session
 * may send two requests a minute, and two more at once.
 */
@Tag("faults")
class OutagePassIT {

    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final String STATUS = "/.postern/room/site";

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String namespace = "node" + NUMBER.incrementAndGet();
    private final KeyRing ring = KeyRing.random();
    private final RedisNode one = node(namespace, Rate.of("2/m"));
    private final RedisNode two = node(namespace, Rate.of("2/m"));

    private RedisNode node(String namespace, Rate perSession) {
        FairQueueSettings room =
                AdmissionFixture.fairQueue(RoomPer.RULE, 2, perSession, AdmissionFixture.NO_TENANTS, IDLE);
        RateLimitRule rule = new RateLimitRule("site", null, 0, RateKey.HOST, RateLimitRule.Store.REDIS, room);
        return new RedisNode(namespace, ring, rule, REDIS.address(), Duration.ofSeconds(1));
    }

    private String first = "";
    private String second = "";

    /** Admits one session on each node; so both nodes know the room. */
    @BeforeEach
    void admitOnEachNode() {
        first = admitted(one);
        second = admitted(two);
    }

    @AfterEach
    void close() {
        REDIS.server().thaw();
        one.close();
        two.close();
    }

    /** A young server admits no session before all nodes have reported, so the session waits first. */
    private static String admitted(RedisNode node) {
        String[] cookie = {""};
        Awaitility.await().until(() -> {
            RedisNode.Sent sent = node.send(node.get(cookie[0]));
            cookie[0] = sent.cookie().isEmpty() ? cookie[0] : sent.cookie();
            return sent.passed();
        });
        return cookie[0];
    }

    /** Returns when a pass that was used before has been silent for so long that it ends. */
    private static void awaitSilence() {
        long end = System.nanoTime() + IDLE.toNanos();
        Awaitility.await().until(() -> System.nanoTime() - end > 0);
    }

    /** Ends the pass of a session at the first node, and returns when the room knows. */
    private void leave(String cookie) {
        one.poll(one.requests().request(Method.DELETE, STATUS).cookie(cookie));
        one.send(one.get("").with("sec-fetch-mode", "cors")); // behind it on the same connection, and takes no place
    }

    @Test
    void aSessionThatIsKnownByItsCookieKeepsItsRate() {
        REDIS.server().freeze();
        for (int i = 0; i < 3; i++) {
            assertThat(two.send(two.get(first)).passed()).as("request %d", i).isTrue();
        }
        assertThat(two.send(two.get(first)).refusal()).isEqualTo(Refusal.RATE_LIMITED);
    }

    @Test
    void aRevokedPassStaysEnded() {
        leave(first);
        REDIS.server().freeze();
        assertThat(one.send(one.get(first)).refusal()).isEqualTo(Refusal.ROOM_UNKNOWN);
        assertThat(two.send(two.get(second)).passed()).isTrue();
    }

    @Test
    void aPassStaysEndedOnANodeThatTheRoomToldSo() {
        leave(first);
        assertThat(two.send(two.get(first)).refusal()).isEqualTo(Refusal.WAITING);
        REDIS.server().freeze();
        assertThat(two.send(two.get(first)).refusal()).isEqualTo(Refusal.ROOM_UNKNOWN);
    }

    @Test
    void aPassStaysEndedOnANodeThatTheRoomToldByAPoll() {
        leave(first);
        two.poll(two.requests().get(STATUS).cookie(first));
        REDIS.server().freeze();
        assertThat(two.send(two.get(first)).refusal()).isEqualTo(Refusal.ROOM_UNKNOWN);
    }

    @Test
    void anotherPassOfTheSessionHasNotEnded() {
        leave(first);
        String[] again = {first};
        Awaitility.await().until(() -> {
            RedisNode.Sent sent = two.send(two.get(again[0]));
            again[0] = sent.cookie().isEmpty() ? again[0] : sent.cookie();
            return sent.passed();
        });
        REDIS.server().freeze();
        assertThat(one.send(one.get(first)).refusal()).as("the first one").isEqualTo(Refusal.ROOM_UNKNOWN);
        assertThat(one.send(one.get(again[0])).passed()).isTrue();
    }

    @Test
    void aPassEndsAfterItsSilence() {
        REDIS.server().freeze();
        assertThat(two.send(two.get(first)).passed()).isTrue();
        awaitSilence();
        assertThat(two.send(two.get(first)).refusal()).isEqualTo(Refusal.ROOM_UNKNOWN);
        assertThat(one.send(one.get(first)).refusal()).isEqualTo(Refusal.ROOM_UNKNOWN);
    }

    @Test
    void aPassLastsWhileItIsUsed() {
        String other = namespace + "-unpaced";
        try (RedisNode three = node(other, Rate.of("0"));
                RedisNode four = node(other, Rate.of("0"))) {
            String cookie = admitted(three);
            admitted(four);
            REDIS.server().freeze();
            long claimed = System.nanoTime() + IDLE.toNanos(); // the end that its cookie claims, or later
            while (System.nanoTime() - claimed <= 0) {
                assertThat(four.send(four.get(cookie)).passed()).isTrue();
            }
            assertThat(four.send(four.get(cookie)).passed())
                    .as("after the end that its cookie claims")
                    .isTrue();
            REDIS.server().thaw();
        }
    }

    @Test
    void aPlaceIsKnownByItsCookie() {
        RedisNode.Sent waiting = one.send(one.get(""));
        assertThat(waiting.position()).isEqualTo("1");
        REDIS.server().freeze();
        assertThat(two.send(two.get(waiting.cookie())).position()).isEqualTo("1");
    }
}
