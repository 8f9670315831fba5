package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080, 127.0.0.1, 8080",
        "[::1]:0, ::1, 0",
        "name.example:65535, name.example, 65535",
        "name.example.:80, name.example., 80",
        "a_b-c:80, a_b-c, 80",
        "*:443, *, 443",
    })
    void readsHostAndPort(String text, String host, int port) {
        HostPort read = HostPort.of(text);

        assertThat(read).isEqualTo(new HostPort(host, port));
        assertThat(read).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "name",
                "name:",
                ":80",
                "name:65536",
                "name:-1",
                "name:+1",
                "::1:80",
                "[::1]",
                "[name]:80",
                "[1.2.3]:80",
                "1.2.3:80",
                "256.0.0.1:80",
                "a..b:80",
                ".a:80",
                "a b:80",
                "**:80"
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> HostPort.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(HostPort.EXPECTED);
    }

    @Test
    void refusesNamesThatDnsCannotHave() {
        assertThat(HostPort.of("a".repeat(63) + ":80").host()).hasSize(63);
        assertThatThrownBy(() -> HostPort.of("a".repeat(64) + ":80")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HostPort.of("a.".repeat(127) + ":80")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:1, true", "127.9.9.9:1, true", "[::1]:1, true", "[0:0:0:0:0:0:0:1]:1, true", "localhost:1, true",
        "LOCALHOST:1, true", "128.0.0.1:1, false", "[::2]:1, false", "name:1, false", "*:1, false"
    })
    void knowsWhetherOnlyThisMachineReachesIt(String text, boolean loopback) {
        assertThat(HostPort.of(text).loopback()).isEqualTo(loopback);
    }

    @ParameterizedTest
    @CsvSource({"*:1, true", "0.0.0.0:1, true", "[::]:1, true", "127.0.0.1:1, false", "name:1, false"})
    void knowsTheWildcard(String text, boolean wildcard) {
        assertThat(HostPort.of(text).wildcard()).isEqualTo(wildcard);
    }

    @ParameterizedTest
    @CsvSource({"name:1, true", "name:0, false", "*:1, false"})
    void knowsWhetherAClientCanConnect(String text, boolean connectable) {
        assertThat(HostPort.of(text).connectable()).isEqualTo(connectable);
    }

    @Test
    void resolvesToAnAddress() {
        assertThat(HostPort.of("127.0.0.1:80").resolve().getHostString()).isEqualTo("127.0.0.1");
        assertThat(HostPort.of("*:80").resolve().getAddress().isAnyLocalAddress())
                .isTrue();
    }
}
