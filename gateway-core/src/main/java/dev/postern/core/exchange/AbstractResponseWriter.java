package dev.postern.core.exchange;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpDate;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseContent;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Base of the response writers of all HTTP versions: the fields that every head gets, the responses without a body (RFC 9110 section 6.4.1),
 * and the calls that come too late. A version adds its framing. Event loop of the exchange only.
 */
public abstract class AbstractResponseWriter implements ResponseSink {

    private @Nullable Exchange exchange;
    private @Nullable Runnable writableListener;
    private boolean begun;
    private boolean bodiless;

    /** Sets the exchange, before any other call. */
    public final void exchange(Exchange value) {
        exchange = value;
    }

    public final Exchange exchange() {
        Exchange set = exchange;
        if (set == null) {
            throw new IllegalStateException("exchange: none (expected: set at once)");
        }
        return set;
    }

    /** Returns whether any part of the response was written or held. */
    public final boolean begun() {
        return begun;
    }

    /** Returns whether nothing more will be written, though some of the response may not have been sent yet. */
    protected abstract boolean handedOver();

    protected final boolean finished() {
        return handedOver() || exchange().ended();
    }

    @Override
    public final void interim(ResponseHead head) {
        if (!finished()) {
            ResponseContent.unframe(head, exchange().request());
            writeInterim(head);
        }
    }

    @Override
    public final void head(ResponseHead head) {
        if (finished()) {
            return;
        }
        Exchange source = exchange();
        begun = true;
        source.markResponding();
        RequestHead request = source.request();
        Method method = request.messageMethod();
        boolean connect = method.equals(Method.CONNECT); // 2xx opens a tunnel, whose bytes are no content
        bodiless = !connect && ResponseContent.none(head.status(), method);
        ResponseContent.unframe(head, request);
        @Nullable Field id = source.requestId();
        if (id != null) {
            head.remove(id.name());
            head.add(id);
        }
        for (Field field : source.responseFields()) {
            head.add(field);
        }
        if (OpenEndedType.of(head)) {
            source.outcome().markOpenEnded();
        }
        if (!head.has(FieldName.DATE)) {
            head.add(FieldName.DATE, HttpDate.now());
        }
        writeHead(head);
    }

    @Override
    public final void data(ByteBuf data) {
        int n = data.readableBytes();
        if (finished() || bodiless || n == 0) {
            data.release();
            return;
        }
        exchange().outcome().addBytesOut(n);
        writeData(data);
    }

    @Override
    public final void trailers(Trailers trailers) {
        if (!finished() && !holdTrailers(trailers)) {
            exchange().outcome().markAmbiguous();
        }
    }

    @Override
    public final void end() {
        if (!finished()) {
            writeEnd();
        }
    }

    @Override
    public final void cut() {
        if (cuttable()) {
            abort();
        }
    }

    /** Returns whether there is anything left to abort. */
    protected boolean cuttable() {
        return !finished();
    }

    @Override
    public final void tunnel(TunnelHandler peer) {
        if (!finished()) {
            exchange().outcome().markOpenEnded();
            openTunnel(peer);
        }
    }

    @Override
    public final void onWritable(Runnable listener) {
        writableListener = listener;
    }

    /** Notifies the listener if more may be written now. */
    public final void becameWritable() {
        Runnable listener = writableListener;
        if (listener != null && !finished() && writable()) {
            listener.run();
        }
    }

    protected final boolean bodiless() {
        return bodiless;
    }

    /** Drops data that follows the head. */
    protected final void dropData() {
        bodiless = true;
    }

    protected abstract void writeInterim(ResponseHead head);

    /** Writes or holds the final head, which is complete. */
    protected abstract void writeHead(ResponseHead head);

    /** Writes or holds a piece of the body, which is not empty; takes ownership. */
    protected abstract void writeData(ByteBuf data);

    /** Holds the trailers until the end; false when they could be read in two ways and are dropped. */
    protected abstract boolean holdTrailers(Trailers trailers);

    protected abstract void writeEnd();

    protected abstract void abort();

    protected abstract void openTunnel(TunnelHandler peer);
}
