package dev.postern.app.socket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http1SocketTest {

    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    @Test
    void readsResponsesOneAfterTheOther() throws IOException {
        Http1Socket socket = received(OK + "Content-Length: 2\r\n\r\nab" + OK + "content-length:3\r\n\r\ncde");

        assertThat(socket.receive().body()).isEqualTo("ab");
        assertThat(socket.receive().body()).isEqualTo("cde");
        assertThat(socket.head()).isNull();
    }

    @Test
    void skipsBodiesByLengthAndInChunks() throws IOException {
        Http1Socket socket = received("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nTrailer: t\r\n\r\n"
                + "POST /b HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd"
                + "GET /c HTTP/1.1\r\n\r\n");

        for (String target : List.of("/a", "/b", "/c")) {
            Http1Head head = socket.head();
            assertThat(head).isNotNull();
            assertThat(head.word(1)).isEqualTo(target);
            socket.skipBody(head);
        }
    }

    @Test
    void leavesWhatFollowsTheHeadInTheSocketWithoutBuffer() throws IOException {
        ByteArrayInputStream bytes = bytes(OK + "\r\nrest");

        assertThat(new Http1Socket(new Memory(bytes, sent), 0).responseHead().status())
                .isEqualTo(200);
        assertThat(bytes).asString(ISO_8859_1).isEqualTo("rest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200", "HTTP/1.1 200 OK\r\nA: b\r\n"})
    void refusesHeadThatIsCutOff(String head) {
        assertThatThrownBy(() -> received(head).head())
                .isInstanceOf(EOFException.class)
                .hasMessageContaining(head.length() + " bytes without an end of the head");
    }

    @Test
    void refusesHeadWithoutEnd() {
        assertThatThrownBy(() -> received("a".repeat(70_000)).head()).hasMessageContaining("65536 bytes");
    }

    @Test
    void refusesEndInPlaceOfResponse() {
        assertThatThrownBy(() -> received("").responseHead()).hasMessageContaining("expected: a response");
    }

    @Test
    void refusesBodyThatIsCutOff() {
        assertThatThrownBy(() -> received(OK + "Content-Length: 3\r\n\r\nab").receive())
                .hasMessage("body: 2 bytes (expected: 3)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-x\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1\r\n\r\n"})
    void refusesStatusLineOfAnotherProtocol(String head) {
        assertThatThrownBy(() -> new Http1Head(head).status())
                .hasMessageContaining("expected: a status line of HTTP/1");
    }

    @Test
    void findsFieldsWithoutRegardToCase() {
        Http1Head head = new Http1Head(OK + "Set-Cookie: a=b\r\nX-Set-Cookie: c\r\nset-cookie:  d=e \r\n\r\n");

        assertThat(head.values("set-cookie")).containsExactly("a=b", "d=e");
        assertThat(head.field("SET-COOKIE")).isEqualTo("a=b");
        assertThat(head.field("cookie")).isEmpty();
        assertThat(head.fields()).isEqualTo(Map.of("set-cookie", List.of("a=b", "d=e"), "x-set-cookie", List.of("c")));
    }

    @Test
    void siteClosesConnectionAfterItsLastRequest() throws IOException {
        LocalServer.Response page = LocalServer.Response.ok("", Http1Socket.bytes("page"));
        ByteArrayInputStream requests =
                bytes("HEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\n\r\nGET /late HTTP/1.1\r\n\r\n");

        LocalServer.of(request -> page).hold(new Memory(requests, sent));

        assertThat(sent.toString(ISO_8859_1))
                .isEqualTo(OK + "Content-Length: 4\r\n\r\n" + OK + "Content-Length: 4\r\n\r\npage");
    }

    private Http1Socket received(String bytes) throws IOException {
        return new Http1Socket(new Memory(bytes(bytes), sent), 16);
    }

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(ISO_8859_1));
    }

    /** Socket without a connection, whose bytes are in memory. */
    private static final class Memory extends Socket {

        private final InputStream in;
        private final OutputStream out;

        Memory(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public void setTcpNoDelay(boolean on) {
            // no connection
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }
    }
}
