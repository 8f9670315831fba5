package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.exchange.StageName;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.UpgradePolicy;
import dev.postern.core.transport.ChannelTunnelPeer;
import dev.postern.core.transport.TunnelPeer;
import dev.postern.core.tunnel.UpgradedTunnel;
import dev.postern.core.tunnel.UpstreamTunnelPeer;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;

/**
 * Attempt of an exchange over one upstream stream: sends the request and receives the response, both with backpressure. On the loop of the
 * exchange.
 */
final class UpstreamAttempt implements UpstreamResponseHandler, RequestBody.Reader {

    private final Exchange exchange;
    private final ResponseSink response;
    private final UpstreamStream upstreamStream;
    private final Duration firstByte;
    private final Duration idle;
    private final Owner owner;
    private AttemptState state = AttemptState.SENDING;
    private boolean paused;
    private long bodyBytes;
    private BodyRateGuard guard = BodyRateGuard.NONE;

    /**
     * @param firstByte from the end of the request until the response begins
     * @param idle between two pieces of the response, and while the upstream takes no byte of the request's body
     */
    UpstreamAttempt(Exchange exchange, UpstreamStream upstreamStream, Duration firstByte, Duration idle, Owner owner) {
        this.exchange = exchange;
        this.response = exchange.response();
        this.upstreamStream = upstreamStream;
        this.firstByte = firstByte;
        this.idle = idle;
        this.owner = owner;
    }

    /**
     * State of the attempt; the response may begin in SENDING and in SENT.
     *
     * <pre>{@code
     *   SENDING --- end of the request ---> SENT
     *   SENDING, SENT --- response complete, failure, drop ---> OVER
     * }</pre>
     */
    private enum AttemptState {
        SENDING,
        SENT,
        OVER
    }

    /** Owner of the attempt. */
    interface Owner {

        /** Handles an attempt without a response; true when the owner starts another attempt. */
        boolean retry(Refusal refusal, boolean silent);

        /** Receives the upstream's final head without hop-by-hop fields, to add the proxy's own fields. */
        void responded(ResponseHead head);

        /** Signals that the connection to the upstream becomes one half of a tunnel, before the client is notified. */
        default void tunnelled(Channel upstream) {}

        /** Signals the same for a stream: the exchange lasts as long as the tunnel. */
        default void tunnelled(Exchange exchange) {}

        /** Handles a request that the upstream did not process; true when the owner starts another attempt. */
        default boolean unprocessed(boolean leaving) {
            return false;
        }
    }

    /** @param now of the loop's ticker */
    void start(long now) {
        RequestHead request = exchange.request();
        // The gateway sends 100 (Continue) itself when the body is read.
        request.remove(FieldName.EXPECT);
        exchange.outcome().countTry();
        exchange.outcome().markForwarded();
        state = request.hasBody() ? AttemptState.SENDING : AttemptState.SENT;
        // The upstream need not respond before it has the whole body: a slow client must not count against an endpoint,
        // and the limits for bodies apply.
        if (state == AttemptState.SENT) {
            upstreamStream.expect(now, firstByte);
        }
        upstreamStream.send(request, this);
        if (state == AttemptState.SENDING) {
            exchange.body().read(this);
            exchange.body().resume(); // an earlier attempt may have paused the body
            if (state == AttemptState.SENDING) {
                guard = BodyRateGuard.of(exchange, this::tooSlow);
            }
        }
    }

    /** Drops the attempt: the exchange has ended or uses another attempt. */
    void drop() {
        if (!ended()) {
            state = AttemptState.OVER;
            guard.stop();
            upstreamStream.abort();
        }
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
        int n = data.readableBytes();
        bodyBytes += n;
        if (ended()) {
            data.release();
            return;
        }
        exchange.outcome().addBytesIn(n);
        guard.received(n);
        long max = Route.of(exchange).requestBody();
        if (max > 0 && bodyBytes > max) {
            data.release();
            giveUp(Refusal.BODY_TOO_LARGE);
            return;
        }
        upstreamStream.body(data);
        if (!upstreamStream.writable()) {
            exchange.body().pause();
            guard.shut();
            if (!exchange.responding()) {
                upstreamStream.expect(exchange.now(), idle);
            }
        }
    }

    @Override
    public void behind(Trailers trailers) {
        ForwardedFields.behindBody(trailers);
        if (!ended() && trailers.strip()) {
            upstreamStream.behindBody(trailers);
        }
    }

    @Override
    public void end() {
        if (ended()) {
            return;
        }
        state = AttemptState.SENT;
        guard.stop();
        upstreamStream.bodyEnd();
        if (!exchange.responding()) {
            upstreamStream.expect(exchange.now(), firstByte);
        }
    }

    @Override
    public void writable() {
        if (state == AttemptState.SENDING && !exchange.responding()) {
            upstreamStream.expectNothing();
        }
        guard.open();
        exchange.body().resume();
    }

    @Override
    public void broken() {
        giveUp(Refusal.REQUEST_MALFORMED);
    }

    // ---- the response

    @Override
    public void interim(ResponseHead head) {
        if (head.status() != 100) { // the gateway sent its own 100 when the body was read
            HopByHop.strip(head);
            response.interim(head);
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
        long now = exchange.timeline().mark(StageName.RESPOND);
        exchange.outcome().status(head.status());
        HopByHop.strip(head);
        head.remove(FieldName.PROXY_AUTHENTICATE);
        owner.responded(head);
        // Before the gateway's own fields: those on caching and cookies take precedence.
        Route.of(exchange).transform().response().apply(head, exchange);
        exchange.upstreamResponded(head);
        upstreamStream.expect(now, idle);
        response.onWritable(this::responseWritable);
        response.head(head);
    }

    @Override
    public void upgraded(ResponseHead head, Channel upstream, ByteBuf early) {
        state = AttemptState.OVER;
        if (!WebSocketKey.proven(exchange.request(), head)) {
            early.release();
            upstream.close();
            exchange.refuse(Refusal.UPSTREAM_MALFORMED);
            return;
        }
        owner.tunnelled(upstream);
        agreed(head);
        open(new ChannelTunnelPeer(upstream), early);
    }

    @Override
    public void upgraded(ResponseHead head, UpstreamStream upstream) {
        state = AttemptState.OVER;
        TunnelPeer peer = new UpstreamTunnelPeer(upstream, exchange.loop());
        owner.tunnelled(exchange);
        agreed(head);
        open(peer, Unpooled.EMPTY_BUFFER);
    }

    /** Sends the response that accepts the upgrade, in the client's own protocol version. */
    private void agreed(ResponseHead head) {
        RequestHead request = exchange.request();
        boolean stream = request.majorVersion() > 1;
        head.status(stream ? 200 : 101);
        exchange.timeline().mark(StageName.RESPOND);
        exchange.outcome().status(head.status());
        HopByHop.strip(head);
        owner.responded(head);
        WebSocketKey.response(request, head);
        Route.of(exchange).transform().response().apply(head, exchange);
        exchange.upstreamResponded(head);
        if (!stream) {
            head.add(FieldName.CONNECTION, "upgrade");
            head.add(FieldName.UPGRADE, request.upgrade());
        }
        response.head(head);
    }

    private void open(TunnelPeer upstream, ByteBuf early) {
        UpgradePolicy limits = Route.of(exchange).transform().policy();
        UpgradedTunnel tunnel = new UpgradedTunnel(upstream, early, limits.idle(), limits.maxLifetime());
        response.tunnel(tunnel);
        if (!tunnel.opened()) {
            tunnel.drop();
        }
    }

    @Override
    public void content(ByteBuf data) {
        response.data(data);
        if (!paused && !ended() && !response.writable()) {
            paused = true;
            upstreamStream.pause();
            upstreamStream.expectNothing();
        }
    }

    @Override
    public void trailers(Trailers trailers) {
        if (exchange.request().takesTrailers() && trailers.strip()) {
            response.trailers(trailers);
        }
    }

    private void responseWritable() {
        if (paused && !ended()) {
            paused = false;
            upstreamStream.expect(exchange.now(), idle);
            upstreamStream.resume();
        }
    }

    @Override
    public void complete() {
        state = AttemptState.OVER;
        guard.stop();
        response.end();
    }

    @Override
    public void readComplete() {
        if (!ended()) {
            if (!paused && exchange.responding()) {
                upstreamStream.expect(exchange.now(), idle);
            }
            response.flush();
        }
    }

    // ---- failures

    @Override
    public void failed(Refusal refusal, boolean silent) {
        if (ended()) {
            return;
        }
        guard.stop();
        if (exchange.responding()) {
            state = AttemptState.OVER;
            if (!response.replace(refusal)) {
                response.cut();
            }
            return;
        }
        boolean repeated = owner.retry(refusal, silent);
        state = AttemptState.OVER;
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
            state = AttemptState.OVER;
        } else {
            failed(Refusal.UPSTREAM_CLOSED, false);
        }
    }

    @Override
    public void unsupported() {
        state = AttemptState.OVER;
        exchange.refuse(Refusal.NOT_IMPLEMENTED);
    }

    @Override
    public void unsendable() {
        state = AttemptState.OVER;
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
        drop();
        if (!owner.retry(Refusal.UPSTREAM_STALLED, true)) {
            exchange.refuse(Refusal.UPSTREAM_STALLED);
        }
    }

    /** Ends the exchange, whose total timeout is over, with the refusal of the side that the gateway waits for. */
    void tooLong() {
        boolean clientSends = state == AttemptState.SENDING && upstreamStream.writable();
        giveUp(clientSends ? Refusal.REQUEST_TIMEOUT : Refusal.UPSTREAM_STALLED);
    }

    /** Ends the attempt and the exchange: the response is cut off, or a refusal is sent when none has begun. */
    private void giveUp(Refusal refusal) {
        if (ended()) {
            return;
        }
        drop();
        if (exchange.responding()) {
            response.cut();
        } else {
            exchange.refuse(refusal);
        }
    }
}
