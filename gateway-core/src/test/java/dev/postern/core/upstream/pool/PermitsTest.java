package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.share.PreemptionRule;
import dev.postern.core.upstream.share.WaitingNetworks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests permits for one connection and places to wait for eight exchanges, of which one network has two while others want one. */
class PermitsTest {

    private static final AddressPrefix A = new AddressPrefix(false, 32, 1L << 32);
    private static final AddressPrefix B = new AddressPrefix(false, 32, 2L << 32);

    private final List<String> notices = new ArrayList<>();
    private final WaitingNetworks networks = new WaitingNetworks();
    private final Permits permits =
            new Permits(TestPool.of(1, 8, 1), new PreemptionRule(0.25), networks, new Permits.Listener() {
                @Override
                public void permitWanted() {}

                @Override
                public void permitReturned() {
                    notices.add("returned");
                }

                @Override
                public void placeWanted() {
                    notices.add("place wanted");
                }

                @Override
                public void report(PreemptionRounds.Round round) {}
            });

    private int queued(AddressPrefix network) {
        int queued = 0;
        while (permits.tryQueue(network)) {
            queued++;
        }
        return queued;
    }

    @Test
    void oneNetworkAloneHasAllPlaces() {
        assertThat(queued(A)).isEqualTo(8);
        assertThat(permits.mustYield(A)).isFalse();
        assertThat(notices).isEmpty();
    }

    @Test
    void anotherNetworkGetsItsShareOfFullPlaces() {
        queued(A);
        assertThat(queued(B)).isEqualTo(2);
        assertThat(notices).containsExactly("place wanted", "place wanted");
        assertThat(permits.mustYield(A)).isTrue();
        assertThat(permits.mustYield(B)).isFalse();
        permits.leaveQueue(A);
        permits.leaveQueue(A);
        assertThat(permits.mustYield(A)).as("as many wait as may").isFalse();
    }

    @Test
    void placesAreFullWhenEveryNetworkHasItsShare() {
        for (int i = 1; i <= 4; i++) {
            AddressPrefix network = new AddressPrefix(false, 32, (long) i << 40);
            assertThat(permits.tryQueue(network)).isTrue();
            assertThat(permits.tryQueue(network)).isTrue();
        }
        assertThat(permits.tryQueue(B)).isFalse();
        assertThat(permits.pending()).isEqualTo(8);
    }

    @Test
    void wakesANetworkThatWasHeldBackWhenTheOtherOneLeaves() {
        networks.full(Set.of(A));
        permits.tryQueue(A);
        permits.tryQueue(B);
        assertThat(networks.holdsBack(A)).isTrue();
        permits.leaveQueue(B);
        assertThat(networks.holdsBack(A)).isFalse();
        assertThat(notices).containsExactly("returned");
    }
}
