package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.StoreReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationCallback;
import net.spy.memcached.ops.OperationErrorType;
import net.spy.memcached.ops.OperationException;
import net.spy.memcached.ops.OperationState;
import org.jspecify.annotations.Nullable;

/**
 * One command of the text protocol on its way through spymemcached's queues, and its response.
 *
 * <p>Settled exactly once, when the library lets go of it: answered, discarded before it was written, or lost with its connection. Only a
 * command whose connection was shut down is never settled. The library's I/O thread calls everything here.
 */
abstract class MemcachedCommand implements Operation {

    private final ByteBuffer bytes;
    private final long deadlineNanos;
    private final byte[] line;
    private int lineLength;
    private int dataLeft;
    private volatile OperationState state = OperationState.WRITE_QUEUED;
    private @Nullable MemcachedNode node;
    private boolean settled;

    /**
     * @param bytes the whole command, ready to be read
     * @param deadlineNanos by {@link System#nanoTime}; it isn't written any more afterwards
     * @param longestLine bytes of a response's line that are looked at
     */
    MemcachedCommand(ByteBuffer bytes, long deadlineNanos, int longestLine) {
        this.bytes = bytes.mark();
        this.deadlineNanos = deadlineNanos;
        this.line = new byte[longestLine];
    }

    /** Told once what became of it. */
    abstract void settled(StoreReply reply);

    /** A line of the response, without its end; calls {@link #settle} when it is the last. */
    abstract void line(byte[] text, int length) throws OperationException;

    /** Bytes of a data block; only after {@link #expectData}. */
    void data(byte value, int left) {}

    final void expectData(int length) {
        dataLeft = length + 2;
    }

    final void settle(StoreReply reply) {
        state = OperationState.COMPLETE;
        if (!settled) {
            settled = true;
            settled(reply);
        }
    }

    /** The fate that such a line means to a storage command. */
    final StoreReply fateOf(byte[] text, int length) throws OperationException {
        if (is(text, length, "STORED")) {
            return StoreReply.STORED;
        }
        if (is(text, length, "NOT_STORED") || is(text, length, "EXISTS") || is(text, length, "NOT_FOUND")) {
            return StoreReply.NOT_STORED;
        }
        if (!is(text, Math.min(length, 12), "SERVER_ERROR")) {
            // The server did not understand us, so nobody knows which answer belongs to what: the connection must go.
            settle(StoreReply.REFUSED);
            throw new OperationException(OperationErrorType.GENERAL, "unexpected response");
        }
        return StoreReply.REFUSED;
    }

    static boolean is(byte[] text, int length, String word) {
        if (length != word.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text[i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public final void readFromBuffer(ByteBuffer received) throws IOException {
        while (state != OperationState.COMPLETE && received.hasRemaining()) {
            byte next = received.get();
            if (dataLeft > 0) {
                dataLeft--;
                data(next, dataLeft);
            } else if (next == '\n') {
                int length = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
                lineLength = 0;
                line(line, length);
            } else if (lineLength < line.length) {
                line[lineLength++] = next;
            }
        }
    }

    @Override
    public void writing() {
        state = OperationState.WRITING;
    }

    @Override
    public void writeComplete() {
        state = OperationState.READING;
    }

    @Override
    public final @Nullable ByteBuffer getBuffer() {
        MemcachedNode at = node;
        if (at != null && at.getChannel() == null) {
            // Asked while a lost connection is cleared up. The library would send a half-written command again and then
            // not expect its response; without a buffer it drops it.
            settle(state == OperationState.WRITE_QUEUED ? StoreReply.UNSENT : StoreReply.LOST);
            return null;
        }
        return bytes;
    }

    /** Asked just before it would be written; the library discards it when the response is true. */
    @Override
    public final boolean isTimedOut(long ignored) {
        boolean finished = System.nanoTime() - deadlineNanos >= 0;
        if (finished) {
            settle(StoreReply.UNSENT);
        }
        return finished;
    }

    /** The library gives it up: the connection was lost, or never there. */
    @Override
    public final void cancel() {
        settle(state == OperationState.WRITE_QUEUED ? StoreReply.UNSENT : StoreReply.LOST);
    }

    @Override
    public final OperationState getState() {
        return state;
    }

    @Override
    public final void setHandlingNode(MemcachedNode to) {
        node = to;
    }

    @Override
    public final @Nullable MemcachedNode getHandlingNode() {
        return node;
    }

    @Override
    public final void initialize() {}

    @Override
    public final boolean isCancelled() {
        return false;
    }

    @Override
    public final boolean hasErrored() {
        return false;
    }

    @Override
    public final @Nullable OperationException getException() {
        return null;
    }

    @Override
    public final @Nullable OperationCallback getCallback() {
        return null;
    }

    @Override
    public final void handleRead(ByteBuffer data) {}

    @Override
    public final void timeOut() {}

    @Override
    public final boolean isTimedOut() {
        return false;
    }

    @Override
    public final boolean isTimedOutUnsent() {
        return false;
    }

    @Override
    public final long getWriteCompleteTimestamp() {
        return 0;
    }

    @Override
    public final byte @Nullable [] getErrorMsg() {
        return null;
    }

    @Override
    public final void addClone(Operation clone) {}

    @Override
    public final int getCloneCount() {
        return 0;
    }

    @Override
    public final void setCloneCount(int count) {}

    /** What the library logs of it: never a key. */
    @Override
    public final String toString() {
        return "command";
    }
}
