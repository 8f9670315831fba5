package dev.postern.core.http1;

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
import io.netty.channel.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a client connection: takes heads and bodies out of its bytes as far as anybody wants them, and keeps the rest.
 *
 * <p>At most what one read brought is held while nobody takes it; a second read while some is held tells the connection to pause. Owns
 * the time limits of heads and bodies. Event loop only.
 */
final class Http1RequestDecoder {

    private final Http1Limits limits;
    private final Http1ServerConnection connection;
    private final RequestHeadParser parser;
    private final Deadline deadline;
    private @Nullable Http1RequestBody body;
    private @Nullable ByteBuf held;
    private @Nullable RequestHead spare;
    private @Nullable Timeline spareTimeline;
    private Timeline timeline = new Timeline(System.nanoTime());
    private boolean inPieces;
    private boolean first = true;
    private boolean processing;
    private boolean paused;
    private boolean stopped;

    Http1RequestDecoder(Http1Limits limits, boolean secure, EventLoop loop, Http1ServerConnection connection) {
        this.limits = limits;
        this.connection = connection;
        this.parser = new RequestHeadParser(limits.head(), secure);
        this.deadline = new Deadline(loop, this::late);
    }

    /** Takes over the buffer; false when the client sends faster than anybody takes, so that its channel should not be read. */
    boolean read(ByteBuf in, ByteBufAllocator allocator) {
        if (stopped) {
            in.release();
            return true;
        }
        ByteBuf before = held;
        boolean keepsUp = before == null || !before.isReadable();
        if (before == null) {
            held = in;
        } else if (keepsUp) {
            before.release();
            held = in;
        } else {
            held = allocator.compositeBuffer().addComponents(true, before, in);
        }
        proceed();
        return keepsUp || held == null;
    }

    /** Takes what is held as far as anybody wants it. */
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
    }

    /** One step; false when nothing more can be done now. */
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
        if (receiving.discarded() > limits.discardBody()) {
            connection.hangUp();
        } else if (receiving.flows()) {
            arm(limits.bodyIdle());
        }
        return false;
    }

    /** What came at once has its first byte and its last at the same moment. */
    private void received() {
        if (inPieces) {
            timeline.mark(StageName.RECEIVE);
        }
    }

    private Timeline nextTimeline() {
        long now = System.nanoTime();
        Timeline next = spareTimeline;
        spareTimeline = null;
        if (next == null) {
            return new Timeline(now);
        }
        next.restart(now);
        return next;
    }

    private RequestHead nextHead() {
        RequestHead next = spare;
        spare = null;
        return next != null ? next : new RequestHead();
    }

    /** Refuses what can't be read; nothing that follows on this connection is read either. */
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

    /** Somebody wants the body now. */
    void bodyWanted(Http1RequestBody asked) {
        if (asked != body) {
            asked.take(Unpooled.EMPTY_BUFFER);
            return;
        }
        if (held == null || !held.isReadable()) {
            connection.bodyAwaited(asked);
        }
        arm(limits.bodyIdle());
        connection.proceed();
    }

    /** The exchange of that body is answered: what is still to come of it is read away. */
    void discard(RequestBody its) {
        Http1RequestBody receiving = body;
        if (receiving != null && receiving.equals(its)) {
            receiving.discard();
            arm(limits.bodyIdle());
        }
    }

    /** Whether what is still to come of that body is too much, or too uncertain, to be read away. */
    boolean leftUnread(RequestHead of, RequestBody its) {
        Http1RequestBody receiving = body;
        return receiving != null
                && receiving.equals(its)
                && (of.expectsContinue() || receiving.outstanding() > limits.discardBody());
    }

    /** Head and timeline of an exchange that is over, to be filled again. */
    void reuse(RequestHead head, Timeline itsTimeline) {
        spare = head;
        spareTimeline = itsTimeline;
    }

    /** No further head is read until {@link #unpause}: whose bytes follow is not known yet. */
    void pause() {
        paused = true;
    }

    void unpause() {
        paused = false;
    }

    /** Nothing is read any more; what is held is dropped, and a body that was coming will never be complete. */
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

    /** What was read and not taken, for whoever takes over the connection. */
    @Nullable
    ByteBuf takeHeld() {
        ByteBuf rest = held;
        held = null;
        return rest;
    }

    boolean holds() {
        return held != null && held.isReadable();
    }

    boolean stopped() {
        return stopped;
    }

    /** Whether part of a request has come and not the rest. */
    boolean inside() {
        return body != null || parser.begun();
    }

    private void arm(Duration after) {
        deadline.set(System.nanoTime(), after.toNanos());
    }
}
