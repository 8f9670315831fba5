package dev.postern.app.admin;

import dev.postern.core.exchange.Exchange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;

/**
 * Stream of a response body of unknown length, written by a thread that may block: each flush waits until the client reads more. Fails when
 * the client has closed the connection or the thread is interrupted; the response is then cut.
 */
final class AdminStream extends OutputStream {

    private final Exchange exchange;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private boolean failed;

    AdminStream(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public void write(int b) {
        unsent.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        unsent.write(bytes, from, length);
    }

    @Override
    public void flush() throws IOException {
        ByteBuf data = Unpooled.wrappedBuffer(unsent.toByteArray());
        unsent.reset();
        CompletableFuture<Void> taken = new CompletableFuture<>();
        try {
            exchange.loop().execute(() -> send(data, taken));
            taken.get();
        } catch (ExecutionException | RejectedExecutionException e) {
            failed = true;
            throw new IOException("the client has left", e);
        } catch (InterruptedException e) {
            failed = true;
            InterruptedIOException interrupted = new InterruptedIOException("the client takes too long");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Sends the data; on the event loop. */
    private void send(ByteBuf data, CompletableFuture<Void> taken) {
        if (exchange.ended()) {
            data.release();
            taken.completeExceptionally(new IOException("ended"));
            return;
        }
        exchange.response().data(data);
        exchange.response().flush();
        if (exchange.response().writable()) {
            taken.complete(null);
        } else {
            exchange.whenEnded(ended -> taken.completeExceptionally(new IOException("ended")));
            exchange.response().onWritable(() -> taken.complete(null));
        }
    }

    @Override
    public void close() throws IOException {
        if (!failed && unsent.size() > 0) {
            flush();
        }
        boolean whole = !failed;
        try {
            exchange.loop().execute(() -> {
                if (whole) {
                    exchange.response().end();
                } else {
                    exchange.response().cut();
                }
            });
        } catch (RejectedExecutionException e) {
            throw new IOException("the address is closed", e);
        }
    }
}
