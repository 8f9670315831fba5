package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests responses that wait for windows, and what pauses the upstream. */
@ExtendWith(LeakExtension.class)
class Http2ResponseFlowTest {

    private static final int INITIAL_WINDOW = 4;
    private static final int DEFAULT_WINDOW = 65_535;

    private final ServerChannel server = new ServerChannel();
    private final FrameClient client = server.client();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void writesSeparatelyWhileTheSocketIsFull() {
        Exchange one = server.greet().get(1);
        Exchange two = server.get(3);
        server.channel().blocked(true);
        one.response().head(head(200));
        one.response().data(data(60_000));
        one.response().flush();
        ok(two, "abc");
        assertThat(server.sent()).isEmpty();
        server.channel().blocked(false);

        assertThat(server.sent()).contains("HEADERS 1 200", "HEADERS 3 200", "DATA 3 abc END");
    }

    // ---- flow control

    @Test
    void staysWithinTheWindowOfTheStream() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 3).get(1);
        ok(exchange, "hello");
        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 hel");
        assertThat(exchange.ended()).isFalse();

        client.window(1, 1);
        assertThat(server.sent()).containsExactly("DATA 1 l");
        client.window(1, 9);
        assertThat(server.sent()).containsExactly("DATA 1 o END");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
    }

    /** The window shrinks below zero when SETTINGS change it (RFC 9113 section 6.9.2). */
    @Test
    void smallResponsesUseTheWindowOfTheStream() {
        server.greet(INITIAL_WINDOW, 1500);
        ok(server.get(1), "x".repeat(1000));
        client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(INITIAL_WINDOW, 999));
        ok(server.get(3), "x".repeat(1000));
        assertThat(server.sent())
                .containsSubsequence("DATA 1 (1000) END", "HEADERS 3 200", "DATA 3 (999)")
                .doesNotContain("DATA 3 x END");
        client.window(3, 1);
        assertThat(server.sent()).containsExactly("DATA 3 x END");
    }

    @Test
    void smallResponsesUseTheWindowOfTheConnection() {
        server.greet();
        int streams = 70;
        for (int id = 1; id < 2 * streams; id += 2) {
            ok(server.get(id), "x".repeat(1000));
        }
        server.sent();
        assertThat(received(streams)).isEqualTo(DEFAULT_WINDOW);

        client.window(0, 100_000);
        server.sent();
        assertThat(received(streams)).isEqualTo(streams * 1000);
    }

    private int received(int streams) {
        int bytes = 0;
        for (int id = 1; id < 2 * streams; id += 2) {
            bytes += client.soFar(id).length();
        }
        return bytes;
    }

    @Test
    void pausesTheUpstreamAt64KiBAndResumesItBelow() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        ResponseSink response = exchange.response();
        List<String> calls = new ArrayList<>();
        response.onWritable(() -> calls.add("writable"));
        response.head(head(200));
        response.data(data(40_000));
        assertThat(response.writable()).isTrue();
        assertThat(response.unsent()).isEqualTo(40_000);
        response.data(data(25_535));
        assertThat(response.writable()).isTrue();
        response.flush();
        assertThat(response.unsent()).isEqualTo(65_535);
        response.data(data(1));
        assertThat(response.writable()).isFalse();
        assertThat(response.unsent()).isEqualTo(65_536);
        server.sent();
        assertThat(calls).isEmpty();

        client.window(1, 40_000);
        assertThat(calls).containsExactly("writable");
        assertThat(response.writable()).isTrue();
        client.window(1, 25_535);
        assertThat(calls).as("it was writable all the time").containsExactly("writable");
        assertThat(response.unsent()).isEqualTo(1);
    }

    /** A queue of tiny frames takes more memory than their bytes. */
    @Test
    void countsTinyPiecesByTheirCost() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        exchange.response().head(head(200));
        int pieces = 0;
        while (exchange.response().writable()) {
            exchange.response().data(data(1));
            exchange.response().flush();
            pieces++;
        }

        assertThat(pieces).isEqualTo(256);
        client.window(1, pieces);
        server.sent();
        assertThat(exchange.response().unsent()).isZero();
    }

    @Test
    void notifiesNobodyAfterTheEnd() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        List<String> calls = new ArrayList<>();
        exchange.response().onWritable(() -> calls.add("writable"));
        exchange.response().head(head(200));
        exchange.response().data(data(70_000));
        exchange.response().flush();
        assertThat(exchange.response().writable()).isFalse();
        exchange.response().data(data("last"));
        exchange.response().end();
        client.window(0, 100_000).window(1, 100_000);
        server.sent();

        assertThat(calls).isEmpty();
        assertThat(client.soFar(1).ended()).isTrue();
        assertThat(exchange.ended()).isTrue();
    }
}
