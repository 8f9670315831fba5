package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.http.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the Host of requests by the rule of their upstream. */
class HostRuleTest {

    private static @Nullable String host(String rule, String endpoint, boolean tls) {
        Field field = HostRule.of(rule).field(EndpointSpec.of(endpoint).address(), tls);
        return field == null ? null : field.value();
    }

    @Test
    void theClientsHostStays() {
        assertThat(HostRule.of("pass")).isEqualTo(HostRule.PASS);
        assertThat(host("pass", "app.example:8080", false)).isNull();
        assertThat(HostRule.PASS.serverName()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "dns:app:8080, false, app:8080",
        "app.example:80, false, app.example",
        "app.example:80, true, app.example:80",
        "app.example:443, true, app.example",
        "app.example:443, false, app.example:443",
        "dns:app.example.:80, false, app.example",
        "192.0.2.1:80, false, 192.0.2.1",
        "[2001:db8::1]:8080, false, [2001:db8::1]:8080",
        "unix:/run/app.sock, false, localhost",
    })
    void theEndpointIsNamedAsConfigured(String endpoint, boolean tls, String host) {
        assertThat(host("endpoint", endpoint, tls)).isEqualTo(host);
        assertThat(HostRule.of("endpoint").serverName()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "app.example, app.example, app.example",
        "App.Example.:8080, app.example:8080, app.example",
        "my_app, my_app, my_app",
        "[2001:db8::1]:8080, [2001:db8::1]:8080, 2001:db8::1",
    })
    void aNameIsFixed(String rule, String host, String serverName) {
        assertThat(host(rule, "192.0.2.1:80", false)).isEqualTo(host);
        assertThat(HostRule.of(rule).serverName()).isEqualTo(serverName);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "https://app.example", "app.example/", "a b", "a..b", ":80", "app:0", "{host}", "$host"})
    void refuses(String rule) {
        assertThatThrownBy(() -> HostRule.of(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(rule + " (expected: pass, endpoint, or a host such as app.example or app.example:8080)");
    }
}
