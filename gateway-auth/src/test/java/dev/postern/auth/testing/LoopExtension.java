package dev.postern.auth.testing;

import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageChain;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a real event loop, for handlers that continue on other threads. */
public final class LoopExtension implements AfterAllCallback {

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private final EventLoop loop = group.next();

    public EventLoop loop() {
        return loop;
    }

    /** Creates a channel on the event loop whose exchanges pass these stages. */
    public Channel channel(ExchangeStage... stages) {
        Channel channel = new LocalChannel();
        channel.pipeline().addLast(new StageChain(List.of(stages)));
        loop.register(channel).syncUninterruptibly();
        return channel;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
