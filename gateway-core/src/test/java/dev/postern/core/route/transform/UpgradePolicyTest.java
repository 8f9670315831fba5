package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RangedSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradePolicyTest {

    private static UpgradePolicy policy(String... protocols) {
        return new UpgradePolicy(List.of(protocols), Duration.ofMinutes(5), Duration.ZERO, 0);
    }

    @ParameterizedTest
    @CsvSource({"websocket, true", "WebSocket, true", "tcp, false", "'', false", "websocket/13, false"})
    void allowsTheProtocolsThatItNames(String protocol, boolean allowed) {
        assertThat(UpgradePolicy.DEFAULT.allow(protocol)).isEqualTo(allowed);
    }

    @Test
    void anEmptyNameIsNeverAllowed() {
        assertThat(policy().allow("")).isFalse();
        assertThat(policy("spdy/3.1").allow("SPDY/3.1")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2c", "", "WebSocket", "a b", "/x", "a123456789012345678901234567890123"})
    void refusesProtocolsThatNoTunnelCarries(String protocol) {
        assertThatThrownBy(() -> policy("websocket", protocol))
                .hasMessageContaining("protocols.1: " + protocol)
                .hasMessageContaining("a protocol in small letters, such as websocket, and not h2c");
    }

    @Test
    void itsLimitsHaveBounds() {
        assertThatThrownBy(() ->
                        RangedSettings.of(UpgradePolicy.class, List.of(), Duration.ZERO, Duration.ofDays(366), -1))
                .hasMessageContaining("idle: ")
                .hasMessageContaining("max-lifetime: ")
                .hasMessageContaining("per-client: -1 (expected: 0..1000000)");
    }
}
