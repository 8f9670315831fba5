package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Received;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the requirements of RFC 9110 for intermediaries. */
@ExtendWith(LeakExtension.class)
class IntermediaryTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    private Response ask(String request) {
        try (RawClient client = gateway.client()) {
            return client.send(request).read();
        }
    }

    private Response askForward(String request) {
        try (RawClient client = gateway.forwardClient()) {
            return client.send(request).read();
        }
    }

    private Received last() {
        return origin.received().get(origin.received().size() - 1);
    }

    @Test
    void addsNoViaToLocalResponses() {
        assertThat(ask("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n").field("Via")).isEmpty();
    }

    @Test
    void forwardsOptionsUntilMaxForwardsIsZero() {
        String options = "OPTIONS / HTTP/1.1\r\nHost: h\r\nMax-Forwards: %s\r\n\r\n";
        assertThat(ask(options.formatted("0")).status()).isEqualTo(204);
        assertThat(origin.received()).isEmpty();

        assertThat(ask(options.formatted("1")).status()).isEqualTo(200);
        assertThat(last().field("Max-Forwards")).isEqualTo("0");
        assertThat(ask(options.formatted("010")).status()).isEqualTo(200);
        assertThat(last().field("Max-Forwards")).isEqualTo("9");
        assertThat(ask(options.formatted("-1")).status()).isEqualTo(400);
        assertThat(ask(options.formatted("x")).status()).isEqualTo(400);
    }

    @Test
    void ignoresMaxForwardsOfOtherMethods() {
        assertThat(ask("GET / HTTP/1.1\r\nHost: h\r\nMax-Forwards: 0\r\n\r\n").status())
                .isEqualTo(200);
        assertThat(last().field("Max-Forwards")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS *", "OPTIONS http://h"})
    void respondsToOptionsAboutTheServer(String line) {
        Response response = ask(line + " HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(response.status()).isEqualTo(204);
        assertThat(origin.received()).isEmpty();
    }

    @Test
    void addsHostToHttp10Requests() {
        assertThat(ask("GET / HTTP/1.0\r\n\r\n").status()).isEqualTo(200);
        assertThat(last().head()).contains("\r\nhost: app\r\n");
        assertThat(ask("GET http://old.example/ HTTP/1.0\r\n\r\n").status()).isEqualTo(200);
        assertThat(last().field("Host")).isEqualTo("old.example");
    }

    @Test
    void usesTheSchemeOfTheConnection() {
        assertThat(ask("GET https://h/ HTTP/1.1\r\nHost: h\r\n\r\n").status()).isEqualTo(200);
        assertThat(last().field("X-Forwarded-Proto")).isEqualTo("http");
    }

    @Test
    void addsViaToRequestsAndResponses() {
        Response response = ask("GET / HTTP/1.1\r\nHost: h\r\nVia: 1.1 before\r\n\r\n");
        assertThat(last().head()).contains("Via: 1.1 before\r\n", "via: 1.1 postern\r\n");
        assertThat(response.field("Via")).isEqualTo("1.1 postern");

        origin.behave(TestOrigin.Behaviour.raw("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assertThat(ask("GET / HTTP/1.1\r\nHost: h\r\n\r\n").field("Via")).isEqualTo("1.0 postern");
        String absolute = "GET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";
        assertThat(askForward(absolute).field("Via")).isEqualTo("1.0 postern");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1 postern", "1.0 before, 2.0 Postern (comment), 1.1 after", "1.1 a\r\nVia: 1.1 postern"})
    void refusesRequestsThatCameBack(String via) {
        Response reverse = ask("GET / HTTP/1.1\r\nHost: h\r\nVia: " + via + "\r\n\r\n");
        assertThat(reverse.status()).isEqualTo(508);
        assertThat(reverse.body()).contains("\"code\":\"loop\"");
        String absolute = "GET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nVia: " + via + "\r\n\r\n";
        Response forward = askForward(absolute);
        assertThat(forward.status()).isEqualTo(508);
        assertThat(forward.field("Proxy-Status")).isEqualTo("postern; error=proxy_loop_detected");
        assertThat(ask("GET / HTTP/1.1\r\nHost: h\r\nAccept: text/html\r\nVia: " + via + "\r\n\r\n")
                        .body())
                .contains(">loop</code>");
        assertThat(origin.received()).isEmpty();
    }

    @Test
    void forwardsOptionsAboutAnotherServerInAsteriskForm() {
        String question = "OPTIONS http://127.0.0.1:8080%s HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n%s\r\n";
        assertThat(askForward(question.formatted("", "")).status()).isEqualTo(200);
        assertThat(last().line()).isEqualTo("OPTIONS * HTTP/1.1");
        assertThat(askForward(question.formatted("/", "")).status()).isEqualTo(200);
        assertThat(last().line()).isEqualTo("OPTIONS / HTTP/1.1");
        assertThat(askForward(question.formatted("?q", "")).status()).isEqualTo(200);
        assertThat(last().line()).isEqualTo("OPTIONS /?q HTTP/1.1");
        int receivedBefore = origin.received().size();
        assertThat(askForward(question.formatted("/", "Max-Forwards: 0\r\n")).status())
                .isEqualTo(204);
        assertThat(origin.received()).hasSize(receivedBefore);
    }
}
