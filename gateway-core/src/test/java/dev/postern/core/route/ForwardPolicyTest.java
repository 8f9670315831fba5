package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.config.ByteSize;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RangedSettings;
import dev.postern.core.testing.TestLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardPolicyTest {

    private static ForwardSettings settings(String... names) {
        return KeyDefaults.of(ForwardSettings.class, Map.of("allowNames", List.of(names)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "*, anything, true",
        "*, 192.0.2.1, true",
        "example.org, example.org, true",
        "example.org, EXAMPLE.org, true",
        "example.org, example.org., true",
        "example.org, www.example.org, false",
        "example.org, badexample.org, false",
        "*.example.org, www.example.org, true",
        "*.example.org, a.b.example.org, true",
        "*.example.org, WWW.example.org., true",
        "*.example.org, example.org, false",
        "*.example.org, .example.org, false",
        "*.example.org, badexample.org, false",
    })
    void namesAreExactOrASuffixOrAll(String name, String host, boolean allowed) {
        assertThat(settings(name).allowsName(host)).isEqualTo(allowed);
        assertThat(settings("other.example", name).allowsName(host)).isEqualTo(allowed);
    }

    @Test
    void isClosedWithoutNames() {
        assertThat(settings().allowsName("example.org")).isFalse();
    }

    @Test
    void portsOfBothProtocolsAreTheirOwn() {
        ForwardSettings.Udp udp = KeyDefaults.of(ForwardSettings.Udp.class, Map.of("allowPorts", List.of("1-65535")));
        ForwardPolicy policy = ForwardPolicy.of(
                "default", KeyDefaults.of(ForwardSettings.class, Map.of("udp", udp)), TestLimits.CLIENT);
        assertThat(policy.tcpPorts().contains(443)).isTrue();
        assertThat(policy.tcpPorts().contains(80)).isFalse();
        assertThat(policy.udpPorts().contains(80)).isTrue();
        assertThat(policy.udpPorts().contains(53)).as("amplifies").isFalse();
    }

    @Test
    void limitsOfTunnelsHaveBounds() {
        assertThatThrownBy(() -> RangedSettings.of(
                        ForwardSettings.Tunnel.class, Duration.ofMillis(999), Duration.ofDays(366), -1))
                .hasMessageContaining("idle: 999ms (expected: 1s..30d)")
                .hasMessageContaining("max-lifetime: ")
                .hasMessageContaining("per-client: -1 (expected: 0..1000000)");
        assertThatThrownBy(() -> RangedSettings.of(
                        ForwardSettings.Udp.class,
                        List.of("443", "none"),
                        Duration.ZERO,
                        Duration.ofDays(366),
                        -1,
                        ByteSize.of("1B")))
                .hasMessageContaining("allow-ports.1: none (expected: a port or a range such as 1024-65535)")
                .hasMessageContaining("idle: ")
                .hasMessageContaining("max-lifetime: ")
                .hasMessageContaining("per-client: -1 (expected: 0..1000000)")
                .hasMessageContaining("queue: ");
    }
}
