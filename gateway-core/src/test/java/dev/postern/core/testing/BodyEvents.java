package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** Reader of a request body that records the pieces as text, {@code read} at the end of a read, the trailers, {@code end} and {@code broken}. */
public final class BodyEvents implements RequestBody.Reader {

    /** Bytes of a piece that are shown; of a longer one, only their number is. */
    private static final int SHOWN = 24;

    private final List<String> events = new ArrayList<>();
    private long bytes;

    /** Returns the events since the last call. */
    public List<String> take() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    public long bytes() {
        return bytes;
    }

    @Override
    public void data(ByteBuf data) {
        int n = data.readableBytes();
        bytes += n;
        events.add(n > SHOWN ? "(" + n + ")" : data.toString(ISO_8859_1));
        data.release();
    }

    @Override
    public void bodyReadComplete() {
        events.add("read");
    }

    @Override
    public void behind(Trailers trailers) {
        for (int i = 0; i < trailers.fields(); i++) {
            events.add(trailers.nameAt(i) + ": " + trailers.valueAt(i));
        }
    }

    @Override
    public void end() {
        events.add("end");
    }

    @Override
    public void broken() {
        events.add("broken");
    }
}
