package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadRowTest {
    @ParameterizedTest
    @ValueSource(strings = {"haproxy", "vertx", "spring-cloud-gateway"})
    void requiresTheGatewayToBeBelowThePeerInEveryRow(String peer) {
        assertThat(LoadRow.ALL)
                .allSatisfy(row -> assertThat(row.comparisons()).anySatisfy(comparison -> {
                    assertThat(comparison.peer()).isIn(peer, peer + "-h2");
                    assertThat(comparison.goal()).isEqualTo(Goal.lessThan(1));
                }));
    }

    @Test
    void listsTheOptionalPeers() {
        assertThat(LoadRow.ALL)
                .flatExtracting(LoadRow::peers)
                .filteredOn(LoadRow::optional)
                .containsOnly("vertx", "spring-cloud-gateway", "spring-cloud-gateway-h2", "postern-io-uring");
    }

    @Test
    void measuresEachPeerOnceAndTheGateway() {
        assertThat(LoadRow.ALL)
                .allSatisfy(
                        row -> assertThat(row.peers()).doesNotHaveDuplicates().endsWith("postern"));
        assertThat(LoadRow.ALL).extracting(LoadRow::name).doesNotHaveDuplicates();
    }
}
