package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Received;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the requirements of RFC 9110 for intermediaries. */
@ExtendWith(LeakExtension.class)
class IntermediaryIT {

    private final TestOrigin origin = new TestOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private Response ask(int port, String request) {
        try (RawClient client = new RawClient(port)) {
            return client.send(request).read();
        }
    }

    private Received last() {
        return origin.received().get(origin.received().size() - 1);
    }

    @Test
    void addsViaToRequestsAndResponses() {
        Response response = ask(gateway.port(), "GET / HTTP/1.1\r\nHost: h\r\nVia: 1.1 before\r\n\r\n");
        assertThat(last().head()).contains("Via: 1.1 before\r\n", "via: 1.1 postern\r\n");
        assertThat(response.field("Via")).isEqualTo("1.1 postern");

        origin.behave(TestOrigin.Behaviour.raw("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assertThat(ask(gateway.port(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n").field("Via"))
                .isEqualTo("1.0 postern");
        String absolute = "GET http://" + origin.address() + "/ HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n";
        assertThat(ask(gateway.forwardPort(), absolute).field("Via")).isEqualTo("1.0 postern");
    }

    @Test
    void forwardsOptionsAboutAnotherServerInAsteriskForm() {
        String question =
                "OPTIONS http://" + origin.address() + "%s HTTP/1.1\r\nHost: " + origin.address() + "\r\n%s\r\n";
        assertThat(ask(gateway.forwardPort(), question.formatted("", "")).status())
                .isEqualTo(200);
        assertThat(last().line()).isEqualTo("OPTIONS * HTTP/1.1");
        assertThat(ask(gateway.forwardPort(), question.formatted("/", "")).status())
                .isEqualTo(200);
        assertThat(last().line()).isEqualTo("OPTIONS / HTTP/1.1");
        assertThat(ask(gateway.forwardPort(), question.formatted("?q", "")).status())
                .isEqualTo(200);
        assertThat(last().line()).isEqualTo("OPTIONS /?q HTTP/1.1");
        int receivedBefore = origin.received().size();
        assertThat(ask(gateway.forwardPort(), question.formatted("/", "Max-Forwards: 0\r\n"))
                        .status())
                .isEqualTo(204);
        assertThat(origin.received()).hasSize(receivedBefore);
    }
}
