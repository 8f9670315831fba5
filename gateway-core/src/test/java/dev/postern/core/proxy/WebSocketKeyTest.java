package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the key of WebSocket between the versions of HTTP; the pair is that of RFC 6455 section 1.3. */
class WebSocketKeyTest {

    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private static RequestHead request(int version, String upgrade) {
        return new RequestHead().majorVersion(version).upgrade(upgrade);
    }

    @Test
    void computesTheProofOfTheRfc() {
        assertThat(WebSocketKey.accept(KEY)).isEqualTo(ACCEPT);
    }

    @ParameterizedTest
    @CsvSource({"2, websocket, true", "2, WebSocket, true", "1, websocket, false", "2, tcp, false"})
    void asksInPlaceOfAStream(int version, String upgrade, boolean asks) {
        RequestHead request = request(version, upgrade);
        WebSocketKey.ask(request);
        assertThat(request.has(WebSocketKey.KEY)).isEqualTo(asks);
        if (asks) {
            assertThat(Base64.getDecoder().decode(request.value(WebSocketKey.KEY)))
                    .hasSize(16);
            RequestHead other = request(version, upgrade);
            WebSocketKey.ask(other);
            assertThat(other.value(WebSocketKey.KEY)).isNotEqualTo(request.value(WebSocketKey.KEY));
        }
    }

    @Test
    void aStreamsOwnKeyDoesNotCount() {
        RequestHead request = request(2, "websocket");
        request.add(WebSocketKey.KEY, KEY);
        WebSocketKey.ask(request);
        assertThat(request.occurrences(WebSocketKey.KEY)).isEqualTo(1);
        assertThat(request.value(WebSocketKey.KEY)).isNotEqualTo(KEY);
    }

    @ParameterizedTest
    @CsvSource({
        "2, websocket, s3pPLMBiTxaQ9kYGzzhZRbK+xOo=, true",
        "2, websocket, another, false",
        "1, websocket, another, true",
        "2, tcp, another, true"
    })
    void checksTheProofWhereItAsked(int version, String upgrade, String accept, boolean proven) {
        RequestHead request = request(version, upgrade);
        request.add(WebSocketKey.KEY, KEY);
        ResponseHead response = new ResponseHead();
        response.add(WebSocketKey.ACCEPT, accept);
        assertThat(WebSocketKey.proven(request, response)).isEqualTo(proven);
    }

    @Test
    void aMissingProofIsNone() {
        assertThat(WebSocketKey.proven(request(2, "websocket"), new ResponseHead()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1, websocket, 1, true, of the upstream",
        "1, websocket, 2, true, s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "1, websocket, 2, false, of the upstream",
        "1, tcp, 2, true, of the upstream",
        "2, websocket, 1, true, none",
        "2, websocket, 2, true, none"
    })
    void provesToTheClientAsItsVersionRequires(int client, String upgrade, int upstream, boolean key, String accept) {
        RequestHead request = request(client, upgrade);
        if (key) {
            request.add(WebSocketKey.KEY, KEY);
        }
        ResponseHead response = new ResponseHead().majorVersion(upstream);
        response.add(WebSocketKey.ACCEPT, "of the upstream");
        WebSocketKey.response(request, response);
        String got = response.value(WebSocketKey.ACCEPT);
        assertThat(got == null ? "none" : got).isEqualTo(accept);
    }
}
