package dev.postern.core.http1;

import static dev.postern.core.testing.TestResponse.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.LeakExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the timeouts of a client connection of HTTP/1.1, on a loop whose time a test moves. */
@ExtendWith(LeakExtension.class)
class Http1TimeoutsTest {

    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final Duration BODY = Duration.ofSeconds(30);
    private static final String GET = "GET / HTTP/1.1~Host: a.example~~";
    private static final String POST = "POST / HTTP/1.1~Host: a.example~Content-Length: 4~~";

    private final Http1Channel server = new Http1Channel();

    @AfterEach
    void close() {
        server.close();
    }

    private boolean open() {
        return server.channel().isOpen();
    }

    @Test
    void refusesAHeadThatIsNotCompleteInTime() {
        server.send("GET / HT");
        server.channel().pass(HEAD.minusNanos(1));
        server.send("TP/1.1~");
        Exchange none = server.channel().readInbound();
        assertThat(none).isNull();

        server.channel().pass(Duration.ofNanos(1));
        Exchange late = server.exchange();
        assertThat(late.fault()).isEqualTo(Refusal.REQUEST_TIMEOUT);
        assertThat(late.timeline().nanos(StageName.RECEIVE)).isEqualTo(HEAD.toNanos());
    }

    @Test
    void closesAConnectionWithoutARequest() {
        server.channel().pass(KEEP_ALIVE.minusNanos(1));
        assertThat(open()).isTrue();

        server.channel().pass(Duration.ofNanos(1));
        assertThat(open()).isFalse();
    }

    @Test
    void countsTheIdleTimeFromTheEndOfAResponse() {
        server.send(GET).exchange().refuse(Refusal.ROUTE_NOT_FOUND);
        server.channel().runPendingTasks();
        server.channel().pass(KEEP_ALIVE.minusNanos(1));
        assertThat(open()).isTrue();
        Exchange second = server.send(GET).exchange();
        server.channel().pass(KEEP_ALIVE.multipliedBy(3));
        assertThat(open()).as("an exchange is under way").isTrue();

        second.refuse(Refusal.ROUTE_NOT_FOUND);
        server.channel().runPendingTasks();
        server.channel().pass(KEEP_ALIVE.minusNanos(1));
        assertThat(open()).isTrue();
        server.channel().pass(Duration.ofNanos(1));
        assertThat(open()).isFalse();
    }

    @Test
    void refusesABodyThatDoesNotArrive() {
        Exchange exchange = server.send(POST).exchange();
        BodyEvents body = new BodyEvents();
        exchange.body().read(body);
        server.channel().pass(BODY.minusNanos(1));
        server.send("ab");
        server.channel().pass(BODY.minusNanos(1));
        assertThat(server.sent()).isEmpty();

        server.channel().pass(Duration.ofNanos(1));
        assertThat(server.sent()).startsWith("HTTP/1.1 408 ");
        assertThat(exchange.outcome().reason()).isEqualTo("body");
        assertThat(body.take()).contains("ab").doesNotContain("end");
    }

    /** The exchange may be a dialogue, in which the upstream is next to send. */
    @Test
    void keepsABodyWhoseResponseHasBegun() {
        Exchange exchange = server.send(POST + "ab").exchange();
        BodyEvents body = new BodyEvents();
        exchange.body().read(body);
        exchange.response().head(head(200).bodyLength(8));
        exchange.response().flush();
        server.channel().pass(BODY.multipliedBy(3));
        server.send("cd");

        assertThat(body.take()).contains("ab", "cd", "end");
        assertThat(open()).isTrue();
    }
}
