package dev.postern.load.worker;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AttributeKey;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Request series: each response lets its connection send the next request, until there are no more. Used on its event
 * loop only, but for {@link #await}.
 */
final class RequestSeries {
    private static final AttributeKey<RequestSeries> CURRENT = AttributeKey.valueOf(RequestSeries.class, "current");
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private final Iterator<Http2Headers> requests;
    private int unsent;
    private int outstanding;

    /**
     * @param requests messages for the connection's pipeline
     * @param count number of requests
     */
    RequestSeries(Iterator<Http2Headers> requests, int count) {
        this.requests = requests;
        this.unsent = count;
        this.outstanding = count;
    }

    /** Returns the series that the connection serves now. */
    static @Nullable RequestSeries of(Channel connection) {
        return connection.attr(CURRENT).get();
    }

    /** Lets the connection send requests, as many at once as stated. */
    void begin(Channel connection, int atOnce) {
        connection.attr(CURRENT).set(this);
        for (int i = 0; i < atOnce; i++) {
            send(connection);
        }
    }

    void responded(Channel connection) {
        outstanding--;
        if (outstanding == 0) {
            done.complete(true);
        } else {
            send(connection);
        }
    }

    void fail(String reason) {
        done.completeExceptionally(new IllegalStateException(reason));
    }

    private void send(Channel connection) {
        if (unsent == 0) {
            return;
        }
        unsent--;
        if (!requests.hasNext()) {
            fail("tokens: all used (expected: one for each request)");
            return;
        }
        connection.writeAndFlush(requests.next());
    }

    void await() {
        ClosedLoop.get(done);
    }
}
