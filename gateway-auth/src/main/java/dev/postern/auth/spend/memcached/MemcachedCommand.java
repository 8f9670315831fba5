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
 * Command of the memcached text protocol in spymemcached's queues, and its response.
 *
 * <p>Settled exactly once, when the library is done with the command: with a response, discarded before it was written, or lost with its
 * connection. Only a command whose connection was shut down is never settled. The library's I/O thread calls all methods.
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
     * @param deadlineNanos of {@link System#nanoTime}; the command is not written after this time
     * @param longestLine maximum number of bytes that are kept of a line of the response
     */
    MemcachedCommand(ByteBuffer bytes, long deadlineNanos, int longestLine) {
        this.bytes = bytes.mark();
        this.deadlineNanos = deadlineNanos;
        this.line = new byte[longestLine];
    }

    /** Takes the reply; called once. */
    abstract void settled(StoreReply reply);

    /** Takes a line of the response, without CR LF. Calls {@link #settle} on the last line. */
    abstract void line(byte[] text, int length) throws OperationException;

    /** Takes a byte of a data block; only after {@link #expectData}. */
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

    /** Returns the reply that the line means for a storage command. */
    final StoreReply fateOf(byte[] text, int length) throws OperationException {
        if (is(text, length, "STORED")) {
            return StoreReply.STORED;
        }
        if (is(text, length, "NOT_STORED") || is(text, length, "EXISTS") || is(text, length, "NOT_FOUND")) {
            return StoreReply.NOT_STORED;
        }
        if (!is(text, Math.min(length, 12), "SERVER_ERROR")) {
            // The server did not understand the command, so later responses can't be assigned. Closes the connection.
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
            // Called while the library cleans up a lost connection. The library would send a partly written command
            // again and then not expect its response. Without a buffer the library drops the command.
            settle(state == OperationState.WRITE_QUEUED ? StoreReply.UNSENT : StoreReply.LOST);
            return null;
        }
        return bytes;
    }

    /** Returns whether the deadline has passed. The library calls this method before it writes, and discards the command if true. */
    @Override
    public final boolean isTimedOut(long ignored) {
        boolean finished = System.nanoTime() - deadlineNanos >= 0;
        if (finished) {
            settle(StoreReply.UNSENT);
        }
        return finished;
    }

    /** Settles the command. Called by the library when the connection was lost or never established. */
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

    /** Returns the text that the library logs for this command; contains no key. */
    @Override
    public final String toString() {
        return "command";
    }
}
