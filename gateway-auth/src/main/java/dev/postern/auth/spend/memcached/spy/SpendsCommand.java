package dev.postern.auth.spend.memcached.spy;

import dev.postern.auth.spend.memcached.PendingAdd;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.memcached.command.UnexpectedReplyException;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import io.netty.util.concurrent.Ticker;
import java.nio.ByteBuffer;
import java.util.List;

/** Command with all {@code add}s of one pass of a loop, followed by the {@code gets} of the server's epoch marker. */
final class SpendsCommand extends MemcachedCommand {

    private final List<PendingAdd> adds;
    private final SpyMemcachedConnection connection;
    private final WriteTiming timing;
    private final Ticker ticker;
    private final GetsReply markerReply = new GetsReply();
    private int next;

    /**
     * Creates a command for the spends. The time limit for writing is the deadline of a spend plus the maximum grace, counted from now, so
     * that neither a late loop nor a pause of the connection's thread shortens the limit.
     *
     * @param adds in the order of their {@code add}s
     */
    SpendsCommand(
            List<PendingAdd> adds,
            SpyMemcachedConnection connection,
            ByteBuffer bytes,
            WriteTiming timing,
            Ticker ticker) {
        super(
                bytes,
                ticker.nanoTime() + adds.get(0).timeoutNanos() + EventLoopDeadlines.MAX_GRACE_NANOS,
                GetsReply.LONGEST_LINE);
        this.adds = adds;
        this.connection = connection;
        this.timing = timing;
        this.ticker = ticker;
    }

    @Override
    public void writing() {
        super.writing();
        timing.begin(ticker.nanoTime());
    }

    /** Records the end of writing: the command is in the library's buffer, which is passed to the kernel next. */
    @Override
    public void written() {
        timing.end(ticker.nanoTime());
    }

    @Override
    protected void line(byte[] text, int length) throws UnexpectedReplyException {
        if (next < adds.size()) {
            settleNext(storeReply(text, length));
        } else {
            getsLine(markerReply, text, length);
        }
    }

    @Override
    protected void data(byte value, int remaining) {
        markerReply.data(value, remaining);
    }

    @Override
    protected void settled(StoreReply reply) {
        if (reply == StoreReply.REFUSED && next < adds.size()) {
            settleNext(reply); // the unexpected line; the spends behind get no reply
        }
        while (next < adds.size()) {
            settleNext(reply == StoreReply.REFUSED ? StoreReply.LOST : reply);
        }
        byte[] marker = connection.connection().found(markerReply.response());
        for (PendingAdd add : adds) {
            if (add.reply() == StoreReply.STORED) {
                add.shown(marker);
            }
        }
    }

    private void settleNext(StoreReply reply) {
        connection.leave();
        adds.get(next++).settled(reply);
    }
}
