package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PassNetworksTest {

    private final PassNetworks networks = new PassNetworks();

    @Test
    void takesThreeNetworksBesideTheFirst() {
        for (long network = 1; network <= 3; network++) {
            assertThat(networks.full()).isFalse();
            assertThat(networks.contains(network)).isFalse();
            assertThat(networks.add(network)).isTrue();
            assertThat(networks.contains(network)).isTrue();
        }
        assertThat(networks.full()).isTrue();
        assertThat(networks.add(4)).isFalse();
        assertThat(networks.contains(4)).isFalse();
        assertThat(networks.add(2)).as("again").isTrue();
    }
}
