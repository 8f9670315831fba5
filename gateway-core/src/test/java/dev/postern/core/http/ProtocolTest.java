package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtocolTest {

    @Test
    void hasTheNamesOfTheRegistry() {
        assertThat(Protocol.H1.alpn()).isEqualTo(ApplicationProtocolNames.HTTP_1_1);
        assertThat(Protocol.H2.alpn()).isEqualTo(ApplicationProtocolNames.HTTP_2);
    }

    @Test
    void serversPreferHttp2() {
        assertThat(Protocol.offered(List.of(Protocol.H1, Protocol.H2))).containsExactly("h2", "http/1.1");
        assertThat(Protocol.offered(List.of(Protocol.H2))).containsExactly("h2");
    }

    @Test
    void http1AloneIsNotNegotiated() {
        assertThat(Protocol.offered(List.of(Protocol.H1))).isEmpty();
        assertThat(Protocol.H1.required()).isEmpty();
        assertThat(Protocol.H2.required()).isEqualTo("h2");
    }
}
