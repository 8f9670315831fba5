package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs a Netty connection of memcached on an embedded channel. */
@ExtendWith(LeakExtension.class)
abstract class NettyMemcachedConnectionFixture {

    static final String STORED = "STORED\r\n";
    static final String NOT_STORED = "NOT_STORED\r\n";
    static final String SHOWN =
            "VALUE test:1:epoch 0 34 7\r\n" + new String(MemcachedFixture.MARKER, ISO_8859_1) + "\r\nEND\r\n";
    static final String GETS_MARKER = "gets test:1:epoch\r\n";
    static final String FULL = "SERVER_ERROR out of memory storing object\r\n";

    final MemcachedFixture fixture = new MemcachedFixture();
    final EmbeddedChannel channel = fixture.channel;
    final List<String> received = new ArrayList<>();
    final MarkedConnection connection = new MarkedConnection(new RecordedEvents(received));
    final NettyMemcachedConnection memcachedConnection =
            new NettyMemcachedConnection(channel.eventLoop(), connection, fixture.encoding);
    final MemcachedServer server = fixture.server();

    @BeforeEach
    void connect() {
        channel.pipeline().addLast(memcachedConnection);
        channel.pipeline().fireChannelActive();
        fixture.state.observed(0, MemcachedFixture.MARKER);
        connection.marker(MemcachedFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    void assertEnded() {
        assertThat(channel.isActive()).isFalse();
        assertThat(memcachedConnection.alive()).isFalse();
        assertThat(connection.connected()).isFalse();
        assertThat(received).filteredOn(subject -> !subject.equals("failed")).containsExactly("established", "lost");
    }

    List<PendingAdd> begin(int count) {
        List<PendingAdd> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PendingAdd add = fixture.attempt(server);
            begun.add(add);
            memcachedConnection.enter();
            memcachedConnection.spend(add);
        }
        channel.runPendingTasks();
        return begun;
    }

    void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
    }

    String written() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            text.append(next.toString(ISO_8859_1));
            next.release();
        }
        return text.toString();
    }

    static long later() {
        return Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
    }

    static List<SpendResult> results(List<PendingAdd> adds) {
        return adds.stream().map(PendingSpend::result).toList();
    }
}
