package dev.postern.core.upstream.connect;

import dev.postern.core.http.Refusal;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;

/** Connection of several streams whose upstream a test plays. */
public final class FakeConnection implements UpstreamConnection {

    private final String name;
    private final Channel channel;
    private final Owner owner;
    private final Terms terms;
    private final List<FakeStream> streams = new ArrayList<>();
    private int allowed;
    private boolean stalled;
    private boolean closed;

    public FakeConnection(String name, Channel channel, Owner owner, Terms terms) {
        this.name = name;
        this.channel = channel;
        this.owner = owner;
        this.terms = terms;
    }

    // ---- the upstream's side

    /** Announces how many streams the upstream allows at once; now exchanges may be sent. */
    public void ready(int count) {
        allowed = count;
        owner.ready();
    }

    /** Allows another number of streams. */
    public void allow(int count) {
        allowed = count;
        owner.changed();
    }

    /** Announces the end of the connection. */
    public void goAway() {
        allowed = 0;
        owner.leaving();
    }

    /** Acknowledges no PING any more. */
    public void fallSilent() {
        allowed = 0;
        owner.unresponsive();
    }

    /** Is late with a response, or no longer. */
    public void stall(boolean late) {
        stalled = late;
    }

    /** Ends the connection; exchanges on it fail. */
    public void lose(Refusal refusal) {
        if (closed) {
            return;
        }
        closed = true;
        channel.close();
        List.copyOf(streams).stream().filter(FakeStream::busy).forEach(FakeStream::lose);
        owner.gone(refusal);
    }

    // ---- what a test reads

    public boolean closed() {
        return closed;
    }

    public Terms terms() {
        return terms;
    }

    /** Returns the streams that were asked for so far. */
    public List<FakeStream> opened() {
        return streams;
    }

    // ---- the gateway's side

    @Override
    public int streams() {
        return closed ? 0 : Math.min(allowed, terms.streams());
    }

    @Override
    public UpstreamStream stream(UpstreamStream.Owner streamOwner) {
        FakeStream stream = new FakeStream(name, streamOwner, null);
        streams.add(stream);
        return stream;
    }

    @Override
    public boolean stalled() {
        return stalled;
    }

    @Override
    public void close() {
        lose(Refusal.UPSTREAM_CLOSED);
    }
}
