package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.Outcome.UpstreamUse;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.route.Route;
import dev.postern.core.transport.piece.PieceJoiner;
import dev.postern.core.tunnel.UpgradedTunnel;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Preemption;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Attempt of an exchange over one upstream stream: sends the request and receives the response, both with backpressure, and joins the
 * pieces of each read. On the loop of the exchange.
 */
final class UpstreamAttempt implements UpstreamResponseHandler, RequestBody.Reader {

    private final Exchange exchange;
    private final UpstreamStream upstreamStream;
    private final Duration firstByte;
    private final Duration idle;
    private final AttemptOwner owner;
    private final AttemptActivity activity = new AttemptActivity();
    private final ResponseRelay relay;
    private AttemptState state = AttemptState.SENDING;
    private long bodyBytes;
    private boolean bodyPaused;
    private BodyRateGuard guard = BodyRateGuard.NONE;
    private PieceJoiner requestPieces = PieceJoiner.NONE;
    private @Nullable UpgradedTunnel tunnel;

    /**
     * @param firstByte from the end of the request until the response begins
     * @param idle between two pieces of the response, and while the upstream takes no byte of the request's body
     */
    UpstreamAttempt(
            Exchange exchange, UpstreamStream upstreamStream, Duration firstByte, Duration idle, AttemptOwner owner) {
        this.exchange = exchange;
        this.upstreamStream = upstreamStream;
        this.firstByte = firstByte;
        this.idle = idle;
        this.owner = owner;
        this.relay = new ResponseRelay(exchange, upstreamStream, idle, activity);
    }

    /** @param now of the loop's ticker */
    void start(long now) {
        RequestHead request = exchange.request();
        boolean waits = Expectation.forward(request, owner.forwardsExpect());
        exchange.outcome().countTry();
        exchange.outcome().markForwarded();
        exchange.outcome().upstreamUse(upstreamStream.shared() ? UpstreamUse.STREAM : UpstreamUse.CONNECTION);
        state = waits ? AttemptState.AWAITING : request.hasBody() ? AttemptState.SENDING : AttemptState.SENT;
        // The upstream need not respond before it has the whole body: a slow client must not count against an endpoint,
        // and the limits for bodies apply.
        exchange.outcome().requestBegan();
        if (state == AttemptState.SENT) {
            exchange.outcome().requestSent(now);
            upstreamStream.expect(now, firstByte);
        }
        activity.begin(now);
        upstreamStream.send(request, this);
        if (state == AttemptState.AWAITING) {
            upstreamStream.expect(now, Expectation.PATIENCE);
        } else if (state == AttemptState.SENDING) {
            readBody(now);
        }
    }

    /** Reads the body, at which the gateway sends 100 (Continue) to a client that expects it. */
    private void readBody(long now) {
        state = AttemptState.SENDING;
        activity.wanted(now);
        exchange.body().read(this);
        if (state == AttemptState.SENDING) {
            guard = BodyRateGuard.of(exchange, owner.multiplexed(), this::tooSlow);
        }
        if (bodyPaused) {
            guard.shut(); // held bytes have filled the upstream already
        } else {
            exchange.body().resume(); // an earlier attempt may have paused the body
        }
    }

    private void stopAwaiting() {
        upstreamStream.expectNothing();
        readBody(exchange.now());
    }

    /** Drops the attempt: the exchange has ended or uses another attempt. */
    void drop() {
        if (!ended()) {
            over();
            exchange.outcome().upstreamUse(UpstreamUse.NONE);
            upstreamStream.abort();
        }
    }

    private void over() {
        state = AttemptState.OVER;
        guard.stop();
        requestPieces.release();
        relay.release();
    }

    private boolean ended() {
        return state == AttemptState.OVER;
    }

    private void tooSlow() {
        exchange.outcome().reason("body-rate");
        giveUp(Refusal.REQUEST_TIMEOUT);
    }

    // ---- the request's body

    @Override
    public void data(ByteBuf data) {
        if (ended()) {
            data.release();
            return;
        }
        if (requestPieces == PieceJoiner.NONE) {
            requestPieces = new PieceJoiner(this::send);
        }
        requestPieces.add(data);
    }

    @Override
    public void bodyReadComplete() {
        requestPieces.pass();
        if (!ended()) {
            upstreamStream.flush();
        }
    }

    private void send(ByteBuf data) {
        int n = data.readableBytes();
        bodyBytes += n;
        if (ended()) {
            data.release();
            return;
        }
        exchange.outcome().addBytesIn(n);
        guard.received(n);
        long now = exchange.now();
        activity.received(n, now);
        long max = Route.of(exchange).requestBody();
        if (max > 0 && bodyBytes > max) {
            data.release();
            giveUp(Refusal.BODY_TOO_LARGE);
            return;
        }
        if (exchange.responding() && !relay.paused()) {
            upstreamStream.expect(now, idle); // from the response's head on, bytes of both directions count
        }
        upstreamStream.body(data);
        if (!upstreamStream.writable()) {
            bodyPaused = true;
            exchange.body().pause();
            guard.shut();
            activity.unwanted(now);
            if (!exchange.responding()) {
                upstreamStream.expect(now, idle);
            }
        }
    }

    @Override
    public void behind(Trailers trailers) {
        RequestPreparation.trailers(exchange, trailers);
        if (!ended() && trailers.strip()) {
            upstreamStream.behindBody(trailers);
        }
    }

    @Override
    public void end() {
        requestPieces.pass();
        if (ended()) {
            return;
        }
        state = AttemptState.SENT;
        guard.stop();
        upstreamStream.bodyEnd();
        if (!exchange.responding()) {
            long now = exchange.now();
            exchange.outcome().requestSent(now);
            upstreamStream.expect(now, firstByte);
        }
    }

    @Override
    public void writable() {
        if (state == AttemptState.AWAITING) {
            return;
        }
        if (state == AttemptState.SENDING && !exchange.responding()) {
            upstreamStream.expectNothing();
        }
        bodyPaused = false;
        guard.open();
        activity.wanted(exchange.now());
        exchange.body().resume();
    }

    @Override
    public void broken() {
        giveUp(Refusal.REQUEST_MALFORMED);
    }

    // ---- the response

    @Override
    public void interim(ResponseHead head) {
        if (head.status() != 100) { // the gateway sends its own when the body is read
            UpstreamHeads.interim(exchange, head);
        } else if (state == AttemptState.AWAITING) {
            stopAwaiting();
        }
    }

    @Override
    public void head(ResponseHead head) {
        RequestHead request = exchange.request();
        if (request.majorVersion() > 1 && !request.upgrade().isEmpty() && head.status() < 300) {
            drop(); // 2xx would open a tunnel (RFC 8441 section 5) that the upstream did not accept
            exchange.refuse(Refusal.NOT_IMPLEMENTED);
            return;
        }
        guard.stop(); // a response beside its request: the idle time holds for both
        guard = BodyRateGuard.NONE;
        relay.begin(head, UpstreamHeads.received(exchange, owner, head));
    }

    @Override
    public void upgraded(ResponseHead head, Channel upstream, ByteBuf early) {
        over();
        exchange.outcome().upstreamUse(UpstreamUse.NONE);
        tunnel = UpstreamHeads.upgraded(exchange, owner, head, upstream, early);
    }

    @Override
    public void upgraded(ResponseHead head, UpstreamStream upstream) {
        over();
        tunnel = UpstreamHeads.upgraded(exchange, owner, head, upstream);
    }

    @Override
    public void content(ByteBuf data) {
        relay.content(data);
    }

    @Override
    public void trailers(Trailers trailers) {
        relay.trailers(trailers);
    }

    @Override
    public void complete() {
        state = AttemptState.OVER;
        relay.end();
        over();
        exchange.outcome().upstreamUse(UpstreamUse.COMPLETED);
        exchange.response().end();
    }

    @Override
    public void readComplete() {
        relay.readComplete();
    }

    // ---- failures

    @Override
    public void failed(Refusal refusal, boolean silent) {
        if (ended()) {
            return;
        }
        if (exchange.responding()) {
            state = AttemptState.OVER;
            if (!exchange.response().replace(refusal)) {
                relay.end();
                exchange.response().cut();
            }
            over();
            return;
        }
        boolean repeated = owner.retry(refusal, silent);
        over();
        if (!repeated) {
            exchange.refuse(refusal);
        }
    }

    @Override
    public void unprocessed(boolean leaving) {
        if (ended()) {
            return;
        }
        if (exchange.body().untouched() && owner.unprocessed(leaving)) {
            over();
        } else {
            failed(Refusal.UPSTREAM_CLOSED, false);
        }
    }

    @Override
    public void unsupported() {
        over();
        exchange.refuse(Refusal.NOT_IMPLEMENTED);
    }

    @Override
    public void unsendable() {
        over();
        exchange.outcome().markAmbiguous();
        exchange.outcome().reason(Outcome.AMBIGUOUS);
        exchange.refuse(Refusal.INTERNAL);
    }

    @Override
    public void late() {
        if (ended()) {
            return;
        }
        if (exchange.responding() || exchange.ended()) {
            giveUp(Refusal.UPSTREAM_STALLED);
            return;
        }
        if (state == AttemptState.AWAITING) {
            stopAwaiting(); // the upstream ignores the expectation
            return;
        }
        drop();
        if (!owner.retry(Refusal.UPSTREAM_STALLED, true)) {
            exchange.refuse(Refusal.UPSTREAM_STALLED);
        }
    }

    /** Ends the exchange, whose time is over, with the refusal of the side that the gateway waits for. */
    void tooLong() {
        giveUp(clientSends() ? Refusal.REQUEST_TIMEOUT : Refusal.UPSTREAM_STALLED);
    }

    private boolean clientSends() {
        return state == AttemptState.SENDING && upstreamStream.writable();
    }

    /** Returns what the upstream's connection waits for. */
    Activity activity(long now) {
        UpgradedTunnel open = tunnel;
        if (open != null) {
            return new Activity(Activity.Kind.OPEN, open.idleNanos(now));
        }
        if (exchange.responding()) {
            return activity.response(exchange.response().unsent(), now);
        }
        boolean clientSends = clientSends();
        if (clientSends && !exchange.body().sendable()) {
            activity.unwanted(now);
            activity.wanted(now);
        }
        return activity.request(clientSends, now);
    }

    /**
     * Ends the exchange, whose connection another one needs: with 408 where the client has not sent its body, else with 504, since the
     * upstream may have acted on the request.
     */
    void preempted(Preemption cause) {
        exchange.outcome().reason(cause.label());
        UpgradedTunnel open = tunnel;
        if (open != null) {
            open.close();
            return;
        }
        tooLong();
    }

    /** Ends the attempt and the exchange: the response is cut off, or a refusal is sent when none has begun. */
    private void giveUp(Refusal refusal) {
        if (ended()) {
            return;
        }
        drop();
        if (exchange.responding()) {
            exchange.response().cut();
        } else {
            exchange.refuse(refusal);
        }
    }
}
