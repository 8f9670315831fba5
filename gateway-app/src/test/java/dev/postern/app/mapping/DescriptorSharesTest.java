package dev.postern.app.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DescriptorSharesTest {

    private static final String REVERSE = """
            listeners: [{name: web, address: "127.0.0.1:0"}]
            routes: [{upstream: u0, token: off}]
            """;
    private static final String FORWARD = """
            listeners: [{name: out, address: "127.0.0.1:0", mode: forward, forward: default}]
            forward: {default: {token: off}}
            """;

    private static GatewayConfig config(String listeners, int clients, int... pools) {
        StringBuilder yaml = new StringBuilder(listeners);
        yaml.append("limits: {connections: ").append(clients).append("}\nupstreams:\n");
        for (int i = 0; i < pools.length; i++) {
            yaml.append("  - {name: u").append(i).append(", endpoints: [\"127.0.0.1:9000\"], pool: {max-connections: ");
            yaml.append(pools[i]).append("}}\n");
        }
        LoadedConfig loadedConfig = new ConfigReader(Map.of(), List.of()).read("test", yaml.toString(), Path.of(""));
        assertThat(loadedConfig.problems()).isEmpty();
        return loadedConfig.config();
    }

    @Test
    void grantsTheConfiguredNumberIfPossible() {
        GatewayConfig config = config(REVERSE, 1000, 100, 200);
        DescriptorShares shares = new DescriptorShares(1364 + 64, 64);

        assertThat(shares.connections(config)).isEqualTo(1000);
        assertThat(shares.pool(config, 200)).isEqualTo(200);
    }

    @Test
    void grantsTheRestAfterPoolsAndReserve() {
        assertThat(new DescriptorShares(1364 + 63, 64).connections(config(REVERSE, 1000, 100, 200)))
                .isEqualTo(999);
        assertThat(new DescriptorShares(1064, 0).connections(config(REVERSE, 1000, 100, 200)))
                .isEqualTo(700);
    }

    @Test
    void halvesTheRestWhenPoolsNeedMore() {
        GatewayConfig config = config(REVERSE, 1000, 600, 300);
        DescriptorShares shares = new DescriptorShares(664, 0);

        assertThat(shares.connections(config)).isEqualTo(300);
        assertThat(shares.pool(config, 600)).isEqualTo(200);
        assertThat(shares.pool(config, 300)).isEqualTo(100);
    }

    @Test
    void countsTwoDescriptorsPerClientOfAForwardListener() {
        assertThat(new DescriptorShares(664, 0).connections(config(FORWARD, 1000, 10)))
                .isEqualTo(300);
    }

    @Test
    void leavesForwardListenersWhatClientsAndPoolsLeave() {
        GatewayConfig plenty = config(FORWARD, 1000, 10);
        assertThat(new DescriptorShares(10_064, 0).forward(plenty)).isEqualTo(10_000 - 1000 - 10);
        DescriptorShares few = new DescriptorShares(664, 0);
        int all = few.connections(plenty) + few.pool(plenty, 10) + few.forward(plenty);
        assertThat(all).isEqualTo(600);
        assertThat(few.forward(plenty)).isGreaterThan(250);
        assertThat(new DescriptorShares(64, 64).forward(plenty)).isEqualTo(1);
    }

    @Test
    void grantsAtLeastOne() {
        GatewayConfig config = config(REVERSE, 1000, 600);
        DescriptorShares none = new DescriptorShares(64, 64);

        assertThat(none.connections(config)).isEqualTo(1);
        assertThat(none.pool(config, 600)).isEqualTo(1);
    }
}
