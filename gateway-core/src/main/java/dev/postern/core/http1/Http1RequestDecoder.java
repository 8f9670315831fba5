package dev.postern.core.http1;

import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.transport.loop.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of a client connection: decodes heads and bodies from its bytes as far as they are wanted, and keeps the rest.
 *
 * <p>The decoder holds at most the bytes of one read while they are not wanted; a second read while bytes are held makes the connection
 * pause reading. Owns the timeouts of heads and bodies. Event loop only.
 */
final class Http1RequestDecoder {

    private final ConnectionSettings limits;
    private final Http1ServerConnection connection;
    private final RequestHeadParser parser;
    private final Deadline deadline;
    private final Ticker ticker;
    private @Nullable Http1RequestBody body;
    private @Nullable ByteBuf held;
    private @Nullable RequestHead spare;
    private @Nullable Timeline spareTimeline;
    private Timeline timeline;
    private boolean inPieces;
    private boolean first = true;
    private boolean processing;
    private boolean reading;
    private boolean paused;
    private boolean stopped;

    Http1RequestDecoder(ConnectionSettings limits, ClientConnection client, Http1ServerConnection connection) {
        this.limits = limits;
        this.connection = connection;
        this.parser = new RequestHeadParser(limits.head(), !client.listener().reverse(), client.secure());
        this.deadline = new Deadline(client.loop(), this::late);
        this.ticker = client.loop().ticker();
        this.timeline = new Timeline(ticker);
    }

    /**
     * Decodes and takes over the buffer; false when the client sends faster than bytes are consumed, so that the channel should pause
     * reading.
     */
    boolean read(ByteBuf in, ByteBufAllocator allocator) {
        if (stopped) {
            in.release();
            return true;
        }
        reading = true;
        ByteBuf previous = held;
        boolean keepsUp = previous == null || !previous.isReadable();
        if (previous == null) {
            held = in;
        } else if (keepsUp) {
            previous.release();
            held = in;
        } else {
            // Copied: one read of TLS brings a buffer for each record, which may hold a single byte.
            held = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, previous, in);
        }
        proceed();
        return keepsUp || held == null;
    }

    /** Signals that all bytes of one read of the channel were passed to this decoder. */
    void readComplete() {
        reading = false;
        bodyReadComplete();
    }

    private void bodyReadComplete() {
        Http1RequestBody receiving = body;
        if (receiving != null) {
            receiving.readComplete();
        }
    }

    /** Decodes the held bytes as far as they are wanted. */
    void proceed() {
        if (processing) {
            return;
        }
        processing = true;
        try {
            boolean more = true;
            while (more && !stopped && held != null && held.isReadable()) {
                more = step(held);
            }
        } catch (HttpParseException fault) {
            refuse(fault.refusal(), fault.getMessage());
        } finally {
            processing = false;
        }
        ByteBuf rest = held;
        if (rest != null && (stopped || !rest.isReadable())) {
            rest.release();
            held = null;
        }
        if (!reading) {
            bodyReadComplete();
        }
    }

    /** Decodes one head or body part; false when no more is possible now. */
    private boolean step(ByteBuf in) {
        Http1RequestBody receiving = body;
        if (receiving != null) {
            return body(receiving, in);
        }
        if (paused || connection.full()) {
            return false;
        }
        if (!parser.begun()) {
            timeline = nextTimeline();
            inPieces = false;
            parser.begin(nextHead());
        }
        if (!parser.scan(in)) {
            inPieces = true;
            deadline.set(timeline.startNanos(), limits.headTimeout().toNanos());
            return false;
        }
        deadline.clear();
        received();
        first = false;
        RequestHead head = parser.head();
        body = head.hasBody() ? new Http1RequestBody(this, head) : null;
        connection.arrived(head, body, timeline);
        return true;
    }

    private boolean body(Http1RequestBody receiving, ByteBuf in) {
        receiving.take(in);
        if (receiving.done()) {
            body = null;
            deadline.clear();
            connection.bodyDone();
            return true;
        }
        if (receiving.discarded() > limits.discardBody().bytes()) {
            connection.hangUp();
        } else if (receiving.flows()) {
            arm(limits.bodyIdleTimeout());
        }
        return false;
    }

    /** Marks the end of RECEIVE; a head that arrived in one read has no receive time. */
    private void received() {
        if (inPieces) {
            timeline.mark(StageName.RECEIVE);
        }
    }

    private Timeline nextTimeline() {
        Timeline next = spareTimeline;
        spareTimeline = null;
        if (next == null) {
            return new Timeline(ticker);
        }
        next.restart();
        return next;
    }

    private RequestHead nextHead() {
        RequestHead next = spare;
        spare = null;
        return next != null ? next : new RequestHead();
    }

    /** Refuses a request that can't be parsed; nothing that follows on this connection is read. */
    private void refuse(Refusal refusal, @Nullable String reason) {
        paused = true;
        deadline.clear();
        Http1RequestBody receiving = body;
        if (receiving == null) {
            received();
            connection.faulty(parser.head(), refusal, timeline, first ? parser.sofar() : Unpooled.EMPTY_BUFFER);
        } else {
            connection.bodyFaulty(refusal, reason == null ? "" : reason);
            receiving.fail();
            body = null;
        }
        stopped = true;
    }

    private void late() {
        Http1RequestBody receiving = body;
        if (receiving == null && parser.begun()) {
            refuse(Refusal.REQUEST_TIMEOUT, "head");
        } else if (receiving != null && receiving.flows() && !connection.responding(receiving)) {
            refuse(Refusal.REQUEST_TIMEOUT, "body");
        }
    }

    /** Delivers the body to its reader from now on. */
    void bodyWanted(Http1RequestBody requestBody) {
        if (requestBody != body) {
            requestBody.take(Unpooled.EMPTY_BUFFER);
            return;
        }
        if (held == null || !held.isReadable()) {
            connection.bodyAwaited(requestBody);
        }
        arm(limits.bodyIdleTimeout());
        connection.proceed();
    }

    /** Discards the rest of a body whose exchange has its response. */
    void discard(RequestBody its) {
        Http1RequestBody receiving = body;
        if (receiving != null && receiving.equals(its)) {
            receiving.discard();
            arm(limits.bodyIdleTimeout());
        }
    }

    /** Returns whether no request can follow: decoding has stopped, or too much of the body is left, or an uncertain size. */
    boolean unusableAfter(RequestHead of, RequestBody its) {
        Http1RequestBody receiving = body;
        boolean left = receiving != null
                && receiving.equals(its)
                && (of.expectsContinue()
                        || receiving.outstanding() > limits.discardBody().bytes());
        return stopped || left;
    }

    /** Recycles the head and timeline of an exchange that is over. */
    void reuse(RequestHead head, Timeline itsTimeline) {
        spare = head;
        spareTimeline = itsTimeline;
    }

    /** Reads no further head until {@link #unpause}: the following bytes may belong to a tunnel. */
    void pause() {
        paused = true;
    }

    void unpause() {
        paused = false;
    }

    /** Stops decoding: held bytes are dropped, and the body being received will never be complete. */
    void stop() {
        stopped = true;
        deadline.stop();
        Http1RequestBody receiving = body;
        body = null;
        if (receiving != null) {
            receiving.fail();
        }
        if (!processing && held != null) {
            held.release();
            held = null;
        }
    }

    /** Stops decoding; returns the bytes that were read and not decoded, for the tunnel that takes over the connection. */
    @Nullable
    ByteBuf stopAndTakeHeld() {
        ByteBuf rest = held;
        held = null;
        stop();
        return rest;
    }

    boolean holds() {
        return held != null && held.isReadable();
    }

    /** Returns whether a request was received in part only; not once decoding has stopped, perhaps in a faulty one. */
    boolean inside() {
        return !stopped && (body != null || parser.begun());
    }

    private void arm(Duration after) {
        deadline.set(after.toNanos());
    }
}
