package dev.postern.core.http1;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the order of responses, what a waiting one holds, and what ends with the connection. */
@ExtendWith(LeakExtension.class)
class Http1ResponseOrderTest {

    private final Http1Channel server = new Http1Channel();

    @AfterEach
    void close() {
        server.close();
    }

    private boolean open() {
        return server.channel().isOpen();
    }

    // ---- order

    @Test
    void sendsResponsesInTheOrderOfTheirRequests() {
        server.send("GET /1 HTTP/1.1~Host: a~~GET /2 HTTP/1.1~Host: a~~");
        Exchange first = server.exchange();
        Exchange second = server.exchange();
        second.response().head(head(202).bodyLength(2));
        second.response().data(data("ab"));
        second.response().end();
        assertThat(server.sent()).isEmpty();
        assertThat(second.ended()).isFalse();
        first.response().head(head(201).bodyLength(1));
        first.response().data(data("c"));
        first.response().end();

        assertThat(server.sent()).isEqualTo("HTTP/1.1 201 Created~~cHTTP/1.1 202 Accepted~~ab");
        assertThat(first.ended() && second.ended()).isTrue();
    }

    @Test
    void aWaitingResponseHoldsLittle() {
        server.send("GET /1 HTTP/1.1~Host: a~~GET /2 HTTP/1.1~Host: a~~");
        Exchange first = server.exchange();
        Exchange second = server.exchange();
        List<String> calls = new ArrayList<>();
        second.response().onWritable(() -> calls.add("writable"));
        second.response().head(head(202).bodyLength(100_000));
        assertThat(second.response().writable()).isTrue();
        assertThat(second.response().unsent()).isZero();
        second.response().data(data(60_000));
        assertThat(second.response().writable()).isTrue();
        second.response().data(data(10_000));
        assertThat(second.response().writable()).isFalse();
        assertThat(second.response().unsent()).isGreaterThanOrEqualTo(70_000);
        first.response().head(head(201).bodyLength(0));
        first.response().end();

        assertThat(calls).containsOnly("writable");
        assertThat(second.response().writable()).isTrue();
        assertThat(server.sent()).hasSizeGreaterThan(70_000);
    }

    @Test
    void aWaitingResponseIsCutBehindTheEarlierOnes() {
        server.send("GET /1 HTTP/1.1~Host: a~~GET /2 HTTP/1.1~Host: a~~");
        Exchange first = server.exchange();
        Exchange second = server.exchange();
        second.response().head(head(202).bodyLength(9));
        second.response().data(data("part"));
        second.response().cut();
        assertThat(open()).isTrue();
        first.response().head(head(201).bodyLength(0));
        first.response().end();

        assertThat(server.sent()).isEqualTo("HTTP/1.1 201 Created~~HTTP/1.1 202 Accepted~~part");
        assertThat(open()).isFalse();
        assertThat(first.outcome().cut()).isFalse();
        assertThat(second.outcome().cut()).isTrue();
    }

    @Test
    void closesAfterTheLastResponseOnly() {
        server.send("GET /1 HTTP/1.1~Host: a~~GET /2 HTTP/1.1~Host: a~Connection: close~~");
        Exchange first = server.exchange();
        Exchange second = server.exchange();
        first.response().head(head(201).bodyLength(0));
        first.response().end();
        assertThat(server.sent()).isEqualTo("HTTP/1.1 201 Created~~");
        assertThat(open()).isTrue();
        second.response().head(head(202).bodyLength(0));
        second.response().end();
        assertThat(server.sent()).isEqualTo("HTTP/1.1 202 Accepted~connection: close~~");
        assertThat(open()).isFalse();
    }

    // ---- a lost connection

    @Test
    void releasesEverythingOfAClosedConnection() {
        server.send("GET /1 HTTP/1.1~Host: a~~GET /2 HTTP/1.1~Host: a~~");
        Exchange first = server.exchange();
        Exchange second = server.exchange();
        first.response().head(head(200));
        first.response().data(data("ab"));
        first.response().trailers(trailers("x-sum", "7"));
        second.response().head(head(200));
        second.response().data(data(20_000));
        server.channel().lose();
        ByteBuf late = data("late");
        first.response().data(late);
        first.response().end();

        assertThat(late.refCnt()).isZero();
        assertThat(first.outcome().cut() && second.outcome().cut()).isTrue();
        assertThat(first.ended() && second.ended()).isTrue();
        assertThat(server.sent()).isEmpty();
    }
}
