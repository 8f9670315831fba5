package dev.postern.load.worker;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Request series: each response lets its connection send the next request, until there are no more. Used on its event
 * loop only, but for {@link #await}.
 */
final class RequestSeries {
    private static final int MAX_SECONDS = 120;

    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private final Iterator<byte[]> requests;
    private final int body;
    private int unsent;
    private int outstanding;

    /**
     * @param count number of requests
     * @param body bytes in the body of each response
     */
    RequestSeries(Iterator<byte[]> requests, int count, int body) {
        this.requests = requests;
        this.unsent = count;
        this.outstanding = count;
        this.body = body;
    }

    int body() {
        return body;
    }

    void begin(Channel connection) {
        connection.pipeline().get(Responses.class).deliverTo(this);
        send(connection);
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
        byte[] request = requests.next();
        ByteBuf out = connection.alloc().directBuffer(request.length).writeBytes(request);
        connection.writeAndFlush(out, connection.voidPromise());
    }

    void await() {
        try {
            done.get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("requests: responses not as expected", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
