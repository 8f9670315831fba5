package dev.postern.core.testing;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Channel in memory on a loop whose time the test moves, and whose socket the test can have accept nothing. Tasks of the loop run between
 * the actions of a test, as between the events of a real loop, and not within each write as those of Netty's channel do.
 */
public class ManualChannel extends EmbeddedChannel {

    private static final long STEP = TimeUnit.SECONDS.toNanos(1);

    private final MockTicker ticker;
    private @Nullable AbstractUnsafe plain;
    private boolean blocked;

    public ManualChannel() {
        this(Ticker.newMockTicker());
    }

    ManualChannel(MockTicker ticker) {
        super(EmbeddedChannel.builder()
                .channelId(DefaultChannelId.newInstance())
                .ticker(ticker));
        this.ticker = ticker;
    }

    public Ticker ticker() {
        return ticker;
    }

    /** Moves the time in steps of a second at most, and runs what becomes due. */
    public void pass(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= STEP) {
            ticker.advance(Math.min(left, STEP), TimeUnit.NANOSECONDS);
            runScheduledPendingTasks();
            runPendingTasks();
        }
    }

    /** Ends the connection, as a reset by the peer does. */
    public void lose() {
        close();
        runPendingTasks();
    }

    /** Sets whether the socket accepts nothing; what was written meanwhile is sent afterwards. */
    public void blocked(boolean value) {
        blocked = value;
        if (!value) {
            flush();
            runPendingTasks();
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        AbstractUnsafe made = super.newUnsafe();
        plain = made;
        return made;
    }

    @Override
    public Unsafe unsafe() {
        AbstractUnsafe made = plain;
        return made == null ? super.unsafe() : made;
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        if (!blocked) {
            super.doWrite(in);
        }
    }
}
