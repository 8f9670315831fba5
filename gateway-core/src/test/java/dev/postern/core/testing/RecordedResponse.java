package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Records a response in memory; ends its exchange as a codec does, once {@link #of} has set it. */
public final class RecordedResponse implements ResponseSink {

    private final List<String> fields = new CopyOnWriteArrayList<>();
    private final List<String> body = new CopyOnWriteArrayList<>();
    private volatile @Nullable Exchange exchange;
    private volatile int status;

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

    @Override
    public void interim(ResponseHead head) {}

    @Override
    public void head(ResponseHead head) {
        for (int i = 0; i < head.fields(); i++) {
            fields.add(head.nameAt(i) + ": " + head.valueAt(i));
        }
        Exchange source = exchange;
        if (source != null) {
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
    public void cut() {
        end();
    }

    @Override
    public void flush() {}

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void onWritable(Runnable listener) {}

    @Override
    public void tunnel(TunnelHandler peer) {}
}
