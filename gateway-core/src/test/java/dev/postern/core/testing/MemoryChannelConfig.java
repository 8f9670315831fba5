package dev.postern.core.testing;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Options of a channel in memory, which keeps those of sockets as they are set. */
final class MemoryChannelConfig extends DefaultChannelConfig {

    private final Map<ChannelOption<?>, Object> kept = new ConcurrentHashMap<>();
    private final Runnable paused;

    /** @param paused called when the channel is to read no more */
    MemoryChannelConfig(Channel channel, Runnable paused) {
        super(channel);
        this.paused = paused;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (!super.setOption(option, value)) {
            kept.put(option, value);
        }
        return true;
    }

    @Override
    @SuppressWarnings("unchecked") // as set
    public <T> T getOption(ChannelOption<T> option) {
        Object value = kept.get(option);
        return value == null ? super.getOption(option) : (T) value;
    }

    @Override
    protected void autoReadCleared() {
        paused.run();
    }
}
