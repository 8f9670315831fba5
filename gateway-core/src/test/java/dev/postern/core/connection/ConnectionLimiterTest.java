package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.transport.AddressPrefix;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        ConnectionLimiter open = new ConnectionLimiter(limits(max, perAddress), () -> {});
        open.add(received::add);
        assertThat(received).containsExactly(true);
        received.clear();
        return open;
    }

    private static AcceptLimits limits(int max, int perAddress) {
        return new AcceptLimits(max, perAddress, Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
    }

    @Test
    void stopsAcceptingAtTheLimitAndResumesWhenAConnectionCloses() {
        ConnectionLimiter open = open(2, 0);
        assertThat(open.enter()).isTrue();
        assertThat(received).isEmpty();
        assertThat(open.enter()).isTrue();
        assertThat(received).containsExactly(false);
        open.leave();
        assertThat(received).containsExactly(false, true);
        assertThat(open.pauses()).isEqualTo(1);
        open.leave();
        assertThat(received).hasSize(2);
        assertThat(open.open()).isZero();
    }

    @Test
    void refusesAConnectionAcceptedPastTheLimitAndDoesNotCountIt() {
        ConnectionLimiter open = open(1, 0);
        assertThat(open.enter()).isTrue();
        assertThat(open.enter()).isFalse();
        assertThat(open.open()).isEqualTo(1);
        // Notified again: a listener that accepted past the limit has to pause once more.
        assertThat(received).containsExactly(false, false);
        assertThat(open.pauses()).isEqualTo(1);
        open.leave();
        assertThat(received).endsWith(true);
        assertThat(open.enter()).isTrue();
    }

    @Test
    void limitsEachAddressAndForgetsThoseWithoutConnections() throws Exception {
        ConnectionLimiter open = open(100, 2);
        AddressPrefix one = AddressPrefix.ofClient(InetAddress.getByName("192.0.2.1"));
        AddressPrefix other = AddressPrefix.ofClient(InetAddress.getByName("192.0.2.2"));
        assertThat(open.enter(one)).isTrue();
        assertThat(open.enter(one)).isTrue();
        assertThat(open.enter(one)).isFalse();
        assertThat(open.enter(one)).isFalse();
        assertThat(open.enter(other)).isTrue();
        assertThat(open.addresses()).isEqualTo(2);
        open.leave(one);
        assertThat(open.enter(one)).isTrue();
        assertThat(open.enter(one)).isFalse();
        open.leave(one);
        open.leave(one);
        open.leave(other);
        assertThat(open.addresses()).isZero();
    }

    @Test
    void newLimitsApplyAtOnceAndKeepOpenConnections() throws Exception {
        ConnectionLimiter open = open(2, 0);
        AddressPrefix one = AddressPrefix.ofClient(InetAddress.getByName("192.0.2.1"));
        assertThat(open.countsAddresses()).isFalse();
        assertThat(open.enter()).isTrue();
        assertThat(open.enter()).isTrue();
        assertThat(received).containsExactly(false);
        open.limits(limits(3, 1));
        assertThat(received).containsExactly(false, true);
        assertThat(open.countsAddresses()).isTrue();
        assertThat(open.enter(one)).isTrue();
        assertThat(open.enter(one)).isFalse();
        open.limits(limits(1, 0));
        assertThat(received).endsWith(false);
        open.leave();
        assertThat(received).endsWith(false);
        open.leave();
        assertThat(received).endsWith(true);
        open.leave(one);
        assertThat(open.addresses()).isZero();
    }

    @Test
    void aListenerAddedAtTheLimitWaitsAndARemovedListenerIsNotNotified() {
        ConnectionLimiter open = open(1, 0);
        assertThat(open.enter()).isTrue();
        List<Boolean> late = new ArrayList<>();
        ConnectionLimiter.Listening listening = late::add;
        open.add(listening);
        assertThat(late).containsExactly(false);
        open.remove(listening);
        open.leave();
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
        AcceptLimits limits = new AcceptLimits(max, 0, Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
        ConnectionLimiter open = new ConnectionLimiter(limits, () -> {});
        open.add(enabled -> accepting[0] = enabled); // called under the lock of the counting thread
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            boolean stays = t == 0;
            all.add(threads.submit(() -> {
                start.await();
                for (int i = 0; i < 2_000; i++) {
                    if (open.enter()) {
                        worst.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        open.leave();
                    }
                }
                return stays && open.enter();
            }));
        }
        start.countDown();
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        assertThat(worst.get()).isLessThanOrEqualTo(max);
        int left = open.open();
        assertThat(left).isLessThanOrEqualTo(1);
        assertThat(accepting[0]).isTrue();
        while (open.open() < max) {
            assertThat(open.enter()).isTrue();
        }
        assertThat(accepting[0]).isFalse();
    }
}
