package dev.postern.auth.spend.memcached.spy;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationCallback;
import net.spy.memcached.ops.OperationException;
import net.spy.memcached.ops.OperationState;
import org.jspecify.annotations.Nullable;

/** Operation of spymemcached that carries a command through the library's queues. The library's I/O thread calls all methods. */
final class SpyOperation implements Operation {

    private final MemcachedCommand command;
    private final Ticker ticker;
    private volatile OperationState state = OperationState.WRITE_QUEUED;
    private @Nullable MemcachedNode node;

    SpyOperation(MemcachedCommand command, Ticker ticker) {
        this.command = command;
        this.ticker = ticker;
    }

    @Override
    public void readFromBuffer(ByteBuffer received) throws IOException {
        command.read(received);
    }

    @Override
    public void writing() {
        state = OperationState.WRITING;
        command.writing();
    }

    @Override
    public void writeComplete() {
        state = OperationState.READING;
        command.written();
    }

    @Override
    public @Nullable ByteBuffer getBuffer() {
        MemcachedNode at = node;
        if (at != null && at.getChannel() == null) {
            // Called while the library cleans up a lost connection. The library would send a partly written command
            // again and then not expect its reply. Without a buffer the library drops the command.
            command.drop();
            return null;
        }
        return command.bytes();
    }

    /** Returns whether the deadline has passed. The library calls this method before it writes, and discards the command if true. */
    @Override
    public boolean isTimedOut(long ignored) {
        return !command.mayBeWritten(ticker.nanoTime());
    }

    /** Drops the command. Called by the library when the connection was lost or never established. */
    @Override
    public void cancel() {
        command.drop();
    }

    @Override
    public OperationState getState() {
        return command.settled() ? OperationState.COMPLETE : state;
    }

    @Override
    public void setHandlingNode(MemcachedNode to) {
        node = to;
    }

    @Override
    public @Nullable MemcachedNode getHandlingNode() {
        return node;
    }

    @Override
    public void initialize() {}

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public boolean hasErrored() {
        return false;
    }

    @Override
    public @Nullable OperationException getException() {
        return null;
    }

    @Override
    public @Nullable OperationCallback getCallback() {
        return null;
    }

    @Override
    public void handleRead(ByteBuffer data) {}

    @Override
    public void timeOut() {}

    @Override
    public boolean isTimedOut() {
        return false;
    }

    @Override
    public boolean isTimedOutUnsent() {
        return false;
    }

    @Override
    public long getWriteCompleteTimestamp() {
        return 0;
    }

    @Override
    public byte @Nullable [] getErrorMsg() {
        return null;
    }

    @Override
    public void addClone(Operation clone) {}

    @Override
    public int getCloneCount() {
        return 0;
    }

    @Override
    public void setCloneCount(int count) {}

    /** Returns the text that the library logs for this operation; contains no key. */
    @Override
    public String toString() {
        return "command";
    }
}
