package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Connection without a server: keeps sent commands until the test responds. */
final class FakeMemcachedConnection implements MemcachedConnection {

    final List<PendingAdd> spends = new ArrayList<>();
    Ticker ticker = Ticker.systemTicker();
    boolean alive = true;
    boolean closed;
    volatile boolean takes = true;
    int capacity = MAX_IN_FLIGHT;

    private final MarkedConnection connection;
    private final BlockingQueue<MemcachedCommand> sent = new LinkedBlockingQueue<>();
    private int inFlight;

    FakeMemcachedConnection(MarkedConnection connection) {
        this.connection = connection;
    }

    /** Returns the first command that was sent and not returned yet; waits for a command of another thread. */
    MemcachedCommand next() {
        try {
            return Objects.requireNonNull(sent.poll(10, TimeUnit.SECONDS), "no command was sent");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int waiting() {
        return sent.size();
    }

    /** Responds to the next command and returns its text. */
    String response(String response) {
        MemcachedCommand command = next();
        String text = text(command);
        read(command, response);
        return text;
    }

    static void read(MemcachedCommand command, String response) {
        try {
            command.read(ISO_8859_1.encode(response));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(MemcachedCommand command) {
        ByteBuffer bytes = command.bytes();
        return ISO_8859_1.decode(bytes.duplicate()).toString();
    }

    /** Settles a spend; the server still reports the marker of the connection. */
    void settle(PendingAdd add, StoreReply reply) {
        add.settled(reply);
        if (reply == StoreReply.STORED) {
            add.shown(connection.marker());
        }
    }

    @Override
    public MarkedConnection connection() {
        return connection;
    }

    @Override
    public boolean enter() {
        if (inFlight >= capacity) {
            return false;
        }
        inFlight++;
        return true;
    }

    @Override
    public void leave() {
        inFlight--;
    }

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public void spend(PendingAdd add) {
        spends.add(add);
    }

    @Override
    public boolean send(MemcachedCommand command) {
        // As every connection does: an expired command is taken, but not written.
        return takes && (!command.mayBeWritten(ticker.nanoTime()) || sent.add(command));
    }

    @Override
    public void readReplies(EventLoop loop, Runnable continuation) {
        continuation.run();
    }

    @Override
    public boolean alive() {
        return alive;
    }

    @Override
    public boolean tcpNoDelay() {
        return true;
    }

    @Override
    public void close() {
        closed = true;
        connection.marker(null);
    }
}
