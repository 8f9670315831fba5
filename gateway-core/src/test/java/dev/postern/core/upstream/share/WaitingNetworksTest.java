package dev.postern.core.upstream.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which networks are held back. */
class WaitingNetworksTest {

    private static final AddressPrefix A = new AddressPrefix(false, 32, 1L << 32);
    private static final AddressPrefix B = new AddressPrefix(false, 32, 2L << 32);
    private static final AddressPrefix C = new AddressPrefix(false, 32, 3L << 32);

    private final WaitingNetworks networks = new WaitingNetworks();

    @Test
    void holdsBackAFullNetworkOnlyWhileAnotherWaits() {
        networks.full(Set.of(A));
        networks.enter(A);
        assertThat(networks.holdsBack(A)).isFalse();
        networks.enter(B);
        assertThat(networks.holdsBack(A)).isTrue();
        assertThat(networks.holdsBack(B)).isFalse();
        assertThat(networks.leave(B)).as("A may continue").isTrue();
        assertThat(networks.holdsBack(A)).isFalse();
    }

    @Test
    void fullNetworksDoNotHoldEachOtherBack() {
        networks.full(Set.of(A, B));
        networks.enter(A);
        networks.enter(B);
        assertThat(networks.holdsBack(A)).isFalse();
        assertThat(networks.holdsBack(B)).isFalse();
        networks.enter(C);
        assertThat(networks.holdsBack(A)).isTrue();
    }

    @Test
    void countsWaitersOfEachNetwork() {
        networks.enter(A);
        networks.enter(A);
        networks.enter(B);
        assertThat(networks.count(A)).isEqualTo(2);
        assertThat(networks.anyAbove(1)).isTrue();
        assertThat(networks.leave(A)).isFalse();
        assertThat(networks.anyAbove(1)).isFalse();
        networks.leave(A);
        assertThat(networks.count(A)).isZero();
    }
}
