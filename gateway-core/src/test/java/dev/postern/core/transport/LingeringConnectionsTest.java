package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which lingering connections close when connections are needed. */
class LingeringConnectionsTest {

    private int needed;
    private final LingeringConnections connections = new LingeringConnections(() -> needed);
    private final List<EmbeddedChannel> channels = new ArrayList<>();

    private EmbeddedChannel linger() {
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
        ChannelHandlerContext context = channel.pipeline().firstContext();
        channels.add(channel);
        connections.add(context);
        return channel;
    }

    private List<Boolean> open() {
        channels.forEach(EmbeddedChannel::runPendingTasks);
        return channels.stream().map(EmbeddedChannel::isOpen).toList();
    }

    @Test
    void closesNoneWhileNoneIsNeeded() {
        linger();
        connections.relieve();
        assertThat(open()).containsExactly(true);
    }

    @Test
    void closesTheOldestFirst() {
        linger();
        linger();
        linger();
        needed = 2;
        connections.relieve();
        assertThat(open()).containsExactly(false, false, true);
        assertThat(connections.size()).isEqualTo(1);
    }

    @Test
    void countsThoseThatAreClosing() {
        linger();
        linger();
        linger();
        needed = 1;
        connections.relieve();
        connections.relieve(); // another loop reached the limit before the first has closed
        assertThat(open()).containsExactly(false, true, true);
        connections.relieve();
        assertThat(open()).containsExactly(false, false, true);
    }

    @Test
    void aConnectionThatBeginsWhenOneIsNeededClosesTheOldest() {
        linger();
        needed = 1;
        linger();
        assertThat(open()).containsExactly(false, true);
    }

    @Test
    void forgetsThoseThatClosedThemselves() {
        linger().close();
        linger();
        needed = 1;
        connections.relieve();
        assertThat(open()).containsExactly(false, false);
        assertThat(connections.size()).isZero();
    }
}
