package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointSpecTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9000, 127.0.0.1, 9000, 1, false",
        "[::1]:9000 weight=3, 0:0:0:0:0:0:0:1, 9000, 3, false",
        "app.example:80, app.example, 80, 1, false",
        "dns:app.example:80   weight=1000, app.example, 80, 1000, true",
        "dns:127.0.0.1:80, 127.0.0.1, 80, 1, false",
    })
    void reads(String text, String host, int port, int weight, boolean watched) {
        EndpointSpec spec = EndpointSpec.of(text);
        InetSocketAddress address = (InetSocketAddress) spec.address();
        assertThat(address.getHostString()).isEqualTo(host);
        assertThat(address.getPort()).isEqualTo(port);
        assertThat(spec.weight()).isEqualTo(weight);
        assertThat(spec.watched()).isEqualTo(watched);
    }

    @Test
    void keepsNamesUnresolvedAndParsesAddresses() {
        assertThat(((InetSocketAddress) EndpointSpec.of("app.example:80").address()).isUnresolved())
                .isTrue();
        assertThat(((InetSocketAddress) EndpointSpec.of("192.0.2.1:80").address()).isUnresolved())
                .isFalse();
    }

    @Test
    void readsUnixSockets() {
        EndpointSpec spec = EndpointSpec.of("unix:/run/app.sock weight=2");
        assertThat(spec.address()).isEqualTo(new DomainSocketAddress("/run/app.sock"));
        assertThat(spec.weight()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a:",
                "a:0",
                "a:65536",
                "a:80 weight=0",
                "a:80 weight=1001",
                "a:80weight=1",
                "a b:80",
                "unix:app.sock",
                "[:::]:80",
                "999.0.0.1:80",
                "a..b:80",
                "dns:unix:/a"
            })
    void refuses(String text) {
        assertThatThrownBy(() -> EndpointSpec.of(text)).hasMessageContaining("expected:");
    }
}
