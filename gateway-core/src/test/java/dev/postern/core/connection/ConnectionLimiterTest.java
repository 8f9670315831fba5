package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.testing.TestLimits;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests limits on open connections and the notifications of listeners. */
class ConnectionLimiterTest {

    private final List<Boolean> received = new ArrayList<>();

    private ConnectionLimiter open(int max, int perAddress) {
        ConnectionLimiter limiter = new ConnectionLimiter(limits(max, perAddress), () -> {});
        limiter.add(received::add);
        assertThat(received).containsExactly(true);
        received.clear();
        return limiter;
    }

    private static ConnectionSettings limits(int max, int perAddress) {
        return TestLimits.with(Map.of("connections", max, "connectionsPerAddress", perAddress));
    }

    @Test
    void stopsAcceptingAtTheLimitAndResumesWhenAConnectionCloses() {
        ConnectionLimiter limiter = open(2, 0);
        assertThat(limiter.enter()).isTrue();
        assertThat(received).isEmpty();
        assertThat(limiter.enter()).isTrue();
        assertThat(received).containsExactly(false);
        limiter.leave();
        assertThat(received).containsExactly(false, true);
        assertThat(limiter.pauses()).isEqualTo(1);
        limiter.leave();
        assertThat(received).hasSize(2);
        assertThat(limiter.open()).isZero();
    }

    @Test
    void refusesAConnectionAcceptedPastTheLimitAndDoesNotCountIt() {
        ConnectionLimiter limiter = open(1, 0);
        assertThat(limiter.enter()).isTrue();
        assertThat(limiter.enter()).isFalse();
        assertThat(limiter.open()).isEqualTo(1);
        // Notified again: a listener that accepted past the limit has to pause once more.
        assertThat(received).containsExactly(false, false);
        assertThat(limiter.pauses()).isEqualTo(1);
        limiter.leave();
        assertThat(received).endsWith(true);
        assertThat(limiter.enter()).isTrue();
    }

    @Test
    void limitsEachAddressAndForgetsThoseWithoutConnections() throws Exception {
        ConnectionLimiter limiter = open(100, 2);
        AddressPrefix one = ClientNetworks.WELL_KNOWN.client(InetAddress.getByName("192.0.2.1"));
        AddressPrefix other = ClientNetworks.WELL_KNOWN.client(InetAddress.getByName("192.0.2.2"));
        assertThat(limiter.enter(one)).isTrue();
        assertThat(limiter.enter(one)).isTrue();
        assertThat(limiter.enter(one)).isFalse();
        assertThat(limiter.enter(one)).isFalse();
        assertThat(limiter.enter(other)).isTrue();
        assertThat(limiter.addresses()).isEqualTo(2);
        limiter.leave(one);
        assertThat(limiter.enter(one)).isTrue();
        assertThat(limiter.enter(one)).isFalse();
        limiter.leave(one);
        limiter.leave(one);
        limiter.leave(other);
        assertThat(limiter.addresses()).isZero();
    }

    @Test
    void newLimitsApplyAtOnceAndKeepOpenConnections() throws Exception {
        ConnectionLimiter limiter = open(2, 0);
        AddressPrefix one = ClientNetworks.WELL_KNOWN.client(InetAddress.getByName("192.0.2.1"));
        assertThat(limiter.countsAddresses()).isFalse();
        assertThat(limiter.enter()).isTrue();
        assertThat(limiter.enter()).isTrue();
        assertThat(received).containsExactly(false);
        limiter.limits(limits(3, 1));
        assertThat(received).containsExactly(false, true);
        assertThat(limiter.countsAddresses()).isTrue();
        assertThat(limiter.enter(one)).isTrue();
        assertThat(limiter.enter(one)).isFalse();
        limiter.limits(limits(1, 0));
        assertThat(received).endsWith(false);
        limiter.leave();
        assertThat(received).endsWith(false);
        limiter.leave();
        assertThat(received).endsWith(true);
        limiter.leave(one);
        assertThat(limiter.addresses()).isZero();
    }

    @Test
    void aListenerAddedAtTheLimitWaitsAndARemovedListenerIsNotNotified() {
        ConnectionLimiter limiter = open(1, 0);
        assertThat(limiter.enter()).isTrue();
        List<Boolean> late = new ArrayList<>();
        ConnectionLimiter.Listening listening = late::add;
        limiter.add(listening);
        assertThat(late).containsExactly(false);
        limiter.remove(listening);
        limiter.leave();
        assertThat(received).containsExactly(false, true);
        assertThat(late).containsExactly(false);
    }

    /** Threads cross the limit concurrently: afterwards, listeners accept exactly when fewer connections than the limit are open. */
    @RepeatedTest(20)
    void listenersAcceptWhenIdleExactlyBelowTheLimit() throws Exception {
        int max = 3;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger worst = new AtomicInteger();
        boolean[] accepting = {true};
        ConnectionLimiter limiter = new ConnectionLimiter(limits(max, 0), () -> {});
        limiter.add(enabled -> accepting[0] = enabled); // called under the lock of the counting thread
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            boolean stays = t == 0;
            all.add(threads.submit(() -> {
                start.await();
                for (int i = 0; i < 2_000; i++) {
                    if (limiter.enter()) {
                        worst.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        limiter.leave();
                    }
                }
                return stays && limiter.enter();
            }));
        }
        start.countDown();
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        assertThat(worst.get()).isLessThanOrEqualTo(max);
        int left = limiter.open();
        assertThat(left).isLessThanOrEqualTo(1);
        assertThat(accepting[0]).isTrue();
        for (int i = left; i < max; i++) {
            assertThat(limiter.enter()).isTrue();
        }
        assertThat(limiter.open()).isEqualTo(max);
        assertThat(accepting[0]).isFalse();
    }
}
