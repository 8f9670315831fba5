package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records a response in memory; ends its exchange as a codec does, once {@link #of} has set it. A test decides whether the client takes the
 * bytes.
 */
public final class RecordedResponse implements ResponseSink {

    private final List<String> fields = new CopyOnWriteArrayList<>();
    private final List<String> body = new CopyOnWriteArrayList<>();
    private final List<Integer> interims = new CopyOnWriteArrayList<>();
    private final List<String> trailers = new CopyOnWriteArrayList<>();
    private final AtomicInteger flushes = new AtomicInteger();
    private volatile @Nullable Exchange exchange;
    private volatile @Nullable Runnable writableListener;
    private volatile @Nullable TunnelPeer client;
    private volatile int status;
    private volatile boolean full;
    private volatile boolean held;
    private volatile boolean cut;
    private volatile long unsent;

    /** Sets the exchange that this response belongs to. */
    public Exchange of(Exchange responded) {
        exchange = responded;
        return responded;
    }

    /** Returns the final status; 0 before the head. */
    public int status() {
        return status;
    }

    public String body() {
        return String.join("", body);
    }

    /** Returns all values of a field; before the head, those that stages add to the response. */
    public List<String> values(FieldName name) {
        Exchange source = exchange;
        if (status == 0 && source != null) {
            return source.responseFields().stream()
                    .filter(f -> f.name().equals(name))
                    .map(Field::value)
                    .toList();
        }
        String prefix = name + ": ";
        return fields.stream()
                .filter(f -> f.startsWith(prefix))
                .map(f -> f.substring(prefix.length()))
                .toList();
    }

    /** Returns the first value of a field, or an empty text. */
    public String value(FieldName name) {
        List<String> all = values(name);
        return all.isEmpty() ? "" : all.get(0);
    }

    /** Returns the statuses of the interim responses. */
    public List<Integer> interims() {
        return interims;
    }

    /** Returns the trailers as lines. */
    public List<String> trailers() {
        return trailers;
    }

    /** Returns whether the response was aborted. */
    public boolean isCut() {
        return cut;
    }

    public int flushes() {
        return flushes.get();
    }

    /** Opens tunnels with this end of the client; without one none opens, as behind an earlier response. */
    public void tunnels(TunnelPeer end) {
        client = end;
    }

    /** Lets the client take no more bytes: so many are written and not taken. */
    public void fill(long waiting) {
        full = true;
        unsent = waiting;
    }

    /** Lets the client take all bytes. */
    public void drain() {
        full = false;
        unsent = 0;
        Runnable listener = writableListener;
        if (listener != null) {
            listener.run();
        }
    }

    /** Holds what is written, as a codec does that has not flushed: a refusal can still replace it. */
    public void hold() {
        held = true;
    }

    @Override
    public void interim(ResponseHead head) {
        interims.add(head.status());
    }

    @Override
    public void head(ResponseHead head) {
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i)) {
                fields.add(head.nameAt(i) + ": " + head.valueAt(i));
            }
        }
        Exchange source = exchange;
        if (source != null) {
            source.markResponding();
            source.responseFields().forEach(f -> fields.add(f.name() + ": " + f.value()));
        }
        status = head.status(); // last: a thread that waits for the status may read the fields
    }

    @Override
    public void data(ByteBuf data) {
        body.add(data.toString(UTF_8));
        data.release();
    }

    @Override
    public void end() {
        Exchange source = exchange;
        if (source != null) {
            source.end();
        }
    }

    @Override
    public void trailers(Trailers behind) {
        for (int i = 0; i < behind.fields(); i++) {
            if (behind.present(i)) {
                trailers.add(behind.nameAt(i) + ": " + behind.valueAt(i));
            }
        }
    }

    @Override
    public void cut() {
        cut = true;
        end();
    }

    @Override
    public boolean replace(Refusal refusal) {
        Exchange source = exchange;
        if (!held || source == null) {
            return false;
        }
        held = false;
        fields.clear();
        body.clear();
        source.outcome().refusal(refusal);
        LocalReply.of(refusal, source, List.of()).writeTo(source);
        return true;
    }

    @Override
    public void flush() {
        flushes.incrementAndGet();
    }

    @Override
    public boolean writable() {
        return !full;
    }

    @Override
    public long unsent() {
        return unsent;
    }

    @Override
    public void onWritable(Runnable listener) {
        writableListener = listener;
    }

    @Override
    public void tunnel(TunnelHandler peer) {
        TunnelPeer end = client;
        if (end != null) {
            peer.open(end);
        }
    }
}
