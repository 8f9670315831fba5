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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which holders of a cookie end its place or pass, at a node that has not seen the session. One session may be active. */
class DepartureIT {

    private static final String HOME = "203.0.113.7";
    private static final String[] OTHERS = {"198.51.100.1", "198.51.101.1", "2001:db8:1::1"};
    private static final String FIFTH = "192.0.3.1";

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String namespace = "departure" + NUMBER.incrementAndGet();
    private final KeyRing ring = KeyRing.random();
    private final RedisNode one = node();
    private final RedisNode two = node();
    private String place = "";
    private String pass = "";

    private RedisNode node() {
        FairQueueSettings room = AdmissionFixture.fairQueue(
                RoomPer.RULE, 1, Rate.of("0"), AdmissionFixture.NO_TENANTS, Duration.ofSeconds(60));
        RateLimitRule rule = new RateLimitRule("site", null, 0, RateKey.HOST, RateLimitRule.Store.REDIS, room);
        return new RedisNode(namespace, ring, rule, REDIS.address(), Duration.ofSeconds(2));
    }

    /** A young server admits no session before all nodes have reported, so the session waits first. */
    @BeforeEach
    void admit() {
        Awaitility.await().until(() -> {
            RedisNode.Sent sent = one.send(one.get(pass).from(HOME));
            if (!sent.cookie().isEmpty()) {
                place = pass;
                pass = sent.cookie();
            }
            two.send(two.get("").from(HOME).with("sec-fetch-mode", "cors")); // reports
            return sent.passed();
        });
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private void useFromAllNetworks() {
        for (String address : OTHERS) {
            assertThat(one.send(one.get(pass).from(address)).passed())
                    .as(address)
                    .isTrue();
        }
    }

    /** Asks the second node to end the place or pass of a session, and returns when the room knows. */
    private void leave(String address, String cookie) {
        two.poll(two.requests()
                .request(Method.DELETE, "/.postern/room/site")
                .cookie(cookie)
                .from(address));
        two.send(two.get("").from(HOME).with("sec-fetch-mode", "cors")); // behind it on the same connection
    }

    @Test
    void aFifthNetworkEndsNoPassThatTheNodeHasNotSeen() {
        useFromAllNetworks();
        leave(FIFTH, place);
        leave(FIFTH, pass);
        assertThat(two.send(two.get(pass).from(HOME)).passed()).isTrue();
        assertThat(one.send(one.get(pass).from(HOME)).passed()).isTrue();
    }

    @Test
    void eachNetworkOfThePassEndsIt() {
        useFromAllNetworks();
        leave(OTHERS[2], pass);
        assertThat(two.send(two.get(pass).from(HOME)).refusal()).isEqualTo(Refusal.WAITING);
    }

    @Test
    void anOldCookieOfTheSessionEndsThePassFromItsHome() {
        assertThat(place).as("cookie of the time before the admission").isNotEmpty();
        leave(HOME, place);
        assertThat(two.send(two.get(pass).from(HOME)).refusal()).isEqualTo(Refusal.WAITING);
    }

    @Test
    void aPlaceEndsForEachHolderOfItsCookie() {
        RedisNode.Sent first = one.send(one.get("").from(HOME));
        RedisNode.Sent second = one.send(one.get("").from(HOME));
        assertThat(second.position()).isEqualTo("2");
        leave(FIFTH, first.cookie());
        assertThat(one.send(one.get(second.cookie()).from(HOME)).position()).isEqualTo("1");
    }
}
