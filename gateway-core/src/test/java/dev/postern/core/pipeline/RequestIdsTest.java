package dev.postern.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestIdSettings;
import dev.postern.core.exchange.RequestIdSettings.Accept;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the client, the upstream and the log know an exchange by the same id, whatever becomes of the exchange. */
@ExtendWith(LeakExtension.class)
class RequestIdsTest {

    private static final String ID = "X-Request-ID";

    private MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().requestIds(new RequestIdSettings(ID, Accept.ALL)));
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    private Response send(String request) {
        try (RawClient client = gateway.client()) {
            return client.send(request).read();
        }
    }

    private static String get(String fields) {
        return "GET /a HTTP/1.1\r\nHost: site.example\r\n" + fields + "\r\n";
    }

    private String logged() {
        Exchange last = gateway.ended().get(gateway.ended().size() - 1);
        assertThat(last.requestId()).isNotNull();
        return last.requestId().value();
    }

    private static List<String> ids(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("x-request-id:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
    }

    private TestOrigin.Received received() {
        return origin.received().get(origin.received().size() - 1);
    }

    @Test
    void allKnowTheIdOfTheClient() {
        assertThat(ids(send(get("X-Request-ID: abc\r\n")).head())).containsExactly("abc");
        assertThat(ids(received().head())).containsExactly("abc");
        assertThat(logged()).isEqualTo("abc");
    }

    @Test
    void allKnowANewId() {
        Response response = send(get(""));
        assertThat(UUID.fromString(response.field(ID)).getMostSignificantBits() >>> 16)
                .isEqualTo(MemoryGateway.NOW.toEpochMilli());
        assertThat(ids(received().head())).containsExactly(response.field(ID));
        assertThat(logged()).isEqualTo(response.field(ID));
    }

    @Test
    void theUpstreamSetsNoOther() {
        origin.behave(TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nX-Request-ID: theirs\r\nContent-Length: 0\r\n\r\n"));
        assertThat(ids(send(get("X-Request-ID: ours\r\n")).head())).containsExactly("ours");
    }

    @Test
    void aRefusalTellsItsId() {
        Response malformed = send("GET /a HTTP/1.1\r\nHost: a b\r\n\r\n");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.field(ID)).hasSize(36).isEqualTo(logged());
        assertThat(malformed.body()).contains("\"request-id\":\"" + malformed.field(ID) + "\"}");

        Response page = send("GET /%zz HTTP/1.1\r\nHost: site.example\r\nAccept: text/html\r\n\r\n");
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.body()).contains("<code dir=\"ltr\">" + page.field(ID) + "</code></p>");
    }

    @Test
    void aResponseOverHttp2TellsIt() {
        try (FrameClient client = gateway.client2()) {
            FrameClient.Response response = client.get(1, "/a").response(1);
            assertThat(response.field("x-request-id"))
                    .hasSize(36)
                    .isEqualTo(received().field(ID));
        }
    }

    @Test
    void forwardListenersSendNone() {
        try (RawClient client = gateway.forwardClient()) {
            Response response = client.send("GET http://site.example/a HTTP/1.1\r\nHost: site.example\r\n\r\n")
                    .read();
            assertThat(response.field(ID)).isEmpty();
        }
        assertThat(gateway.ended().get(0).requestId()).isNull();
    }

    @Test
    void withoutIdsTheFieldOfTheClientIsAnyField() {
        gateway.close();
        gateway = new MemoryGateway(MemoryGateway.setup());
        MemoryOrigin second = gateway.origin();
        Response response = send(get("X-Request-ID: abc\r\n"));
        assertThat(response.field(ID)).isEmpty();
        assertThat(second.received().get(0).field(ID)).isEqualTo("abc");
        assertThat(send("GET /%zz HTTP/1.1\r\nHost: site.example\r\n\r\n").body())
                .doesNotContain("request-id");
    }
}
