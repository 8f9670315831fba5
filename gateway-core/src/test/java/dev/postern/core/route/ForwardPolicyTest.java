package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.config.ByteSize;
import dev.postern.core.net.CidrSet;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RangedSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardPolicyTest {

    private static ForwardPolicy policy(String... names) {
        Route route = new Route(
                "forward:default", "*", "/", "", Route.Token.OFF, null, Route.Preflight.REFUSE, Duration.ZERO, 0);
        return new ForwardPolicy(
                route,
                ForwardPolicy.Ports.of(List.of("443"), List.of("1-65535")),
                List.of(names),
                CidrSet.NONE,
                KeyDefaults.of(ForwardPolicy.Tunnel.class),
                KeyDefaults.of(ForwardPolicy.Udp.class));
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
        "*example.org, www.example.org, false",
    })
    void namesAreExactOrASuffixOrAll(String name, String host, boolean allowed) {
        assertThat(policy(name).allowsName(host)).isEqualTo(allowed);
        assertThat(policy("other.example", name).allowsName(host)).isEqualTo(allowed);
    }

    @Test
    void isClosedWithoutNames() {
        assertThat(policy().allowsName("example.org")).isFalse();
    }

    @Test
    void portsOfBothProtocolsAreTheirOwn() {
        ForwardPolicy.Ports ports = policy().ports();
        assertThat(ports.tcp().contains(443)).isTrue();
        assertThat(ports.tcp().contains(80)).isFalse();
        assertThat(ports.udp().contains(80)).isTrue();
        assertThat(ports.udp().contains(53)).as("amplifies").isFalse();
    }

    @Test
    void limitsOfTunnelsHaveBounds() {
        assertThatThrownBy(() ->
                        RangedSettings.of(ForwardPolicy.Tunnel.class, Duration.ofMillis(999), Duration.ofDays(366), -1))
                .hasMessageContaining("idle: 999ms (expected: 1s..30d)")
                .hasMessageContaining("max-lifetime: ")
                .hasMessageContaining("per-client: -1 (expected: 0..1000000)");
        assertThatThrownBy(() -> RangedSettings.of(
                        ForwardPolicy.Udp.class,
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
