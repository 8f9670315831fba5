package dev.postern.core.http2.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.ResponseHead;
import org.junit.jupiter.api.Test;

class ResponseLengthTest {

    private final ResponseLength length = new ResponseLength();

    private void head(int status, Method method, long announced) {
        ResponseHead head = new ResponseHead();
        head.status(status);
        head.bodyLength(announced);
        if (announced >= 0) {
            head.add(FieldName.CONTENT_LENGTH, Long.toString(announced));
        }
        length.begin();
        length.head(head, method);
    }

    @Test
    void contentMayHaveTheAnnouncedLengthOnly() {
        head(200, Method.GET, 5);

        assertThat(length.receive(3, false)).isTrue();
        assertThat(length.missing()).isTrue();
        assertThat(length.receive(2, true)).isTrue();
        assertThat(length.complete()).isTrue();
        assertThat(length.receive(1, false)).as("a byte more").isFalse();
    }

    @Test
    void theLastPieceCompletesTheContent() {
        head(200, Method.GET, 5);

        assertThat(length.receive(4, true)).isFalse();
    }

    @Test
    void anyLengthIsRightWithoutAnAnnouncement() {
        head(200, Method.GET, ResponseHead.CHUNKED);

        assertThat(length.receive(4, true)).isTrue();
        assertThat(length.missing()).isFalse();
        assertThat(length.complete()).isFalse();
    }

    @Test
    void someResponsesHaveNoContent() {
        head(200, Method.HEAD, 5);

        assertThat(length.forbids(0)).isFalse();
        assertThat(length.forbids(1)).isTrue();
        assertThat(length.missing()).isFalse();

        head(204, Method.GET, ResponseHead.CHUNKED);

        assertThat(length.forbids(1)).isTrue();
    }

    @Test
    void aTunnelHasAnyLength() {
        head(200, Method.CONNECT, 0);
        length.unknown();

        assertThat(length.forbids(9)).isFalse();
        assertThat(length.receive(9, false)).isTrue();
    }
}
