package dev.postern.core.http1;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Refusal;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests heads that could be read in two ways, and heads that the gateway replaces. */
@ExtendWith(LeakExtension.class)
class Http1ResponseReplacementTest {

    private static final String OK = "HTTP/1.1 200 OK~";
    private static final String CHUNKED = OK + "transfer-encoding: chunked~~";

    private final Http1Channel server = new Http1Channel();

    @AfterEach
    void close() {
        server.close();
    }

    private boolean open() {
        return server.channel().isOpen();
    }

    // ---- heads that could be read in two ways

    @Test
    void replacesAnAmbiguousHeadOfAnUpstream() {
        Exchange exchange = server.get();
        exchange.outcome().markForwarded();
        exchange.response().head(head(200, "x-a", "b\r\nx-c: d"));
        exchange.response().data(data("their body"));
        exchange.response().end();

        assertThat(server.sent())
                .startsWith("HTTP/1.1 502 Bad Gateway~")
                .contains("upstream-malformed")
                .doesNotContain("their");
        assertThat(exchange.outcome().ambiguous()).isTrue();
        assertThat(exchange.outcome().reason()).isEqualTo("ambiguous");
        assertThat(open()).isTrue();
    }

    @Test
    void replacesAnAmbiguousHeadOfTheGateway() {
        Exchange exchange = server.get();
        exchange.response().head(head(200, "x-a", "b\r\nx-c: d"));
        assertThat(server.sent()).startsWith("HTTP/1.1 500 ").contains("internal");
    }

    @Test
    void cutsWhenTheReplacementIsAmbiguousToo() {
        Exchange exchange = server.get();
        exchange.put(LocalReply.FILTER, (head, of) -> RawField.add(head, "x-a", "b\r\nx-c: d"));
        exchange.response().head(head(200, "x-a", "b\r\nx-c: d"));
        assertThat(server.sent()).isEmpty();
        assertThat(open()).isFalse();
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void dropsAnAmbiguousInterimHeadAndTrailers() {
        Exchange exchange = server.get();
        exchange.response().interim(head(103, "x-a", "b\r\nx-c: d"));
        assertThat(exchange.outcome().ambiguous()).isTrue();
        exchange.response().head(head(200));
        exchange.response().trailers(trailers("x-a", "b\r\nx-c: d"));
        exchange.response().end();
        assertThat(server.sent()).isEqualTo(CHUNKED + "0~~");
    }

    // ---- replacing

    @Test
    void replacesAHeadThatWasNotSent() {
        Exchange exchange = server.get();
        exchange.response().head(head(200));
        exchange.response().data(data("ab"));
        assertThat(exchange.response().replace(Refusal.UPSTREAM_CLOSED)).isTrue();
        assertThat(exchange.response().replace(Refusal.UPSTREAM_CLOSED))
                .as("once")
                .isFalse();
        exchange.response().data(data("late"));

        assertThat(server.sent())
                .startsWith("HTTP/1.1 502 ")
                .contains("upstream-closed")
                .doesNotContain("late");
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.UPSTREAM_CLOSED);
        assertThat(open()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"nothing", "flush", "more", "end"})
    void replacesNothingElse(String then) {
        Exchange exchange = server.get();
        if (!then.equals("nothing")) {
            exchange.response().head(head(200));
        }
        switch (then) {
            case "flush" -> exchange.response().flush();
            case "more" -> exchange.response().data(data(5_000)); // sends the head before itself
            case "end" -> exchange.response().end();
            default -> {}
        }
        assertThat(exchange.response().replace(Refusal.UPSTREAM_CLOSED)).isFalse();
    }
}
