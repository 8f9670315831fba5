package dev.postern.auth.spend.memcached.command;

import dev.postern.auth.spend.store.StoreReply;
import java.nio.ByteBuffer;

/**
 * Command of the memcached text protocol, and its reply.
 *
 * <p>Settled exactly once, when its connection is done with the command: with a reply, dropped before it was written, or lost with the
 * connection. Only a command whose connection was shut down is never settled. The thread of the connection calls all methods.
 */
public abstract class MemcachedCommand {

    private final ByteBuffer bytes;
    private final long deadlineNanos;
    private final byte[] line;
    private int lineLength;
    private int dataLeft;
    private volatile boolean begun;
    private volatile boolean settled;

    /**
     * @param bytes the whole command, ready to be read
     * @param deadlineNanos of the ticker; the command is not written after this time
     * @param longestLine maximum number of bytes that are kept of a line of the reply
     */
    protected MemcachedCommand(ByteBuffer bytes, long deadlineNanos, int longestLine) {
        this.bytes = bytes.mark();
        this.deadlineNanos = deadlineNanos;
        this.line = new byte[longestLine];
    }

    /** Takes the reply; called once. */
    protected abstract void settled(StoreReply reply);

    /** Takes a line of the reply, without CR LF. Calls {@link #settle} on the last line. */
    protected abstract void line(byte[] text, int length) throws UnexpectedReplyException;

    /** Takes a byte of a data block; only after {@link #expectData}. */
    protected void data(byte value, int remaining) {}

    protected final void expectData(int length) {
        dataLeft = length + 2;
    }

    /** Settles the command, if it is not settled yet. */
    public final void settle(StoreReply reply) {
        if (!settled) {
            settled = true;
            settled(reply);
        }
    }

    /** Returns whether the command is settled. */
    public final boolean settled() {
        return settled;
    }

    /** Returns the reply that the line means for a storage command. */
    protected final StoreReply storeReply(byte[] text, int length) throws UnexpectedReplyException {
        if (is(text, length, "STORED")) {
            return StoreReply.STORED;
        }
        if (is(text, length, "NOT_STORED") || is(text, length, "EXISTS") || is(text, length, "NOT_FOUND")) {
            return StoreReply.NOT_STORED;
        }
        if (!is(text, Math.min(length, 12), "SERVER_ERROR")) {
            // The server did not understand the command. Closes the connection.
            settle(StoreReply.REFUSED);
            throw new UnexpectedReplyException();
        }
        return StoreReply.REFUSED;
    }

    /** Takes a line of the reply to {@code gets}, and settles the command on the last line. */
    protected final void getsLine(GetsReply reply, byte[] text, int length) throws UnexpectedReplyException {
        int size;
        try {
            size = reply.line(text, length);
        } catch (UnexpectedReplyException e) {
            settle(StoreReply.REFUSED);
            throw e;
        }
        if (size >= 0) {
            expectData(size);
        } else {
            settle(StoreReply.STORED);
        }
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

    /** Reads the reply, up to its end or to the end of the received bytes. */
    public final void read(ByteBuffer received) throws UnexpectedReplyException {
        while (!settled && received.hasRemaining()) {
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

    /** Returns the bytes to write. */
    public final ByteBuffer bytes() {
        return bytes;
    }

    /** Returns whether the command may be written. Settles the command as UNSENT when its deadline has passed. */
    public final boolean mayBeWritten(long nowNanos) {
        boolean late = nowNanos - deadlineNanos >= 0;
        if (late) {
            settle(StoreReply.UNSENT);
        }
        return !late;
    }

    /** Takes that the first byte is written now. */
    public void writing() {
        begun = true;
    }

    /** Takes that the last byte was written. */
    public void written() {}

    /** Settles the command because its connection was lost or never established. */
    public final void drop() {
        settle(begun ? StoreReply.LOST : StoreReply.UNSENT);
    }
}
