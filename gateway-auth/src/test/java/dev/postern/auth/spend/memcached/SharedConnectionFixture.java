package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Environment of a connection of a client library, for tests in the package of the library: a server with a verified marker. */
public final class SharedConnectionFixture implements AutoCloseable {

    /** Reply to the {@code gets} of the verified marker. */
    public static final String SHOWN = NettyMemcachedConnectionFixture.SHOWN;

    public final EmbeddedChannel channel;
    public final MemcachedEncoding encoding;
    public final List<String> events = new CopyOnWriteArrayList<>();
    public final List<PendingSpend> responses;
    public final MarkedConnection connection = new MarkedConnection(new RecordedEvents(events));

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer server = fixture.server();

    public SharedConnectionFixture() {
        channel = fixture.channel;
        encoding = fixture.encoding;
        responses = fixture.responses;
        fixture.state.observed(0, MemcachedFixture.MARKER);
        connection.marker(MemcachedFixture.MARKER);
    }

    public PendingAdd attempt() {
        return fixture.attempt(server);
    }

    /** Returns whether the marker of the connection is verified. */
    public boolean verified() {
        return connection.marker() != null;
    }

    @Override
    public void close() {
        fixture.close();
    }
}
