package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResponsesTest {
    private static final String RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final EmbeddedChannel connection = new EmbeddedChannel(new Responses());

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @Test
    void sendsNextRequestWhenResponseIsWhole() {
        RequestSeries series = new RequestSeries(requests(2), 2, 4);
        series.begin(connection, 1);
        assertThat(sent()).isEqualTo(1);

        receive(RESPONSE.substring(0, 30));
        receive(RESPONSE.substring(30, RESPONSE.length() - 1));
        assertThat(sent()).isZero();

        receive(RESPONSE.substring(RESPONSE.length() - 1));
        assertThat(sent()).isEqualTo(1);
    }

    @Test
    void endsWithAsManyResponsesAsRequests() {
        RequestSeries series = new RequestSeries(requests(3), 3, 4);
        series.begin(connection, 1);
        receive(RESPONSE);
        receive(RESPONSE);
        receive(RESPONSE);

        series.await();
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    void endsAtAnUnexpectedResponse() {
        RequestSeries series = new RequestSeries(requests(2), 2, 4);
        series.begin(connection, 1);
        receive("HTTP/1.1 503 Service Unavailable\r\n");

        assertThatThrownBy(series::await).hasRootCauseMessage("status: 503 (expected: 200)");
    }

    @Test
    void endsWhenTokensRunOut() {
        RequestSeries series = new RequestSeries(requests(1), 2, 4);
        series.begin(connection, 1);
        receive(RESPONSE);

        assertThatThrownBy(series::await).hasRootCauseMessage("tokens: all used (expected: one for each request)");
    }

    @Test
    void endsWhenConnectionEnds() {
        RequestSeries series = new RequestSeries(requests(2), 2, 4);
        series.begin(connection, 1);
        connection.close();

        assertThatThrownBy(series::await)
                .hasRootCauseMessage("connection: closed by the server (expected: kept alive)");
    }

    private static Iterator<?> requests(int count) {
        return Stream.generate(() -> Unpooled.copiedBuffer(REQUEST, US_ASCII))
                .limit(count)
                .iterator();
    }

    private void receive(String bytes) {
        connection.writeInbound(Unpooled.copiedBuffer(bytes, US_ASCII));
    }

    private int sent() {
        int count = 0;
        for (ByteBuf out = connection.readOutbound(); out != null; out = connection.readOutbound()) {
            out.release();
            count++;
        }
        return count;
    }
}
