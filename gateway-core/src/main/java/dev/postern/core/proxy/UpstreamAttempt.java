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
import dev.postern.core.upstream.UpstreamResponseHandler;
import dev.postern.core.upstream.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;

/**
 * One try of an exchange over one connection: the request out and the response in, each as fast as the other side takes it. On the loop of
 * the exchange.
 */
final class UpstreamAttempt implements UpstreamResponseHandler, RequestBody.Reader {

    private final Exchange exchange;
    private final ResponseSink response;
    private final UpstreamStream upstreamStream;
    private final Duration firstByte;
    private final Duration idle;
    private final Owner owner;
    private boolean requestSent;
    private boolean paused;
    private boolean finished;
    private long bodyBytes;
    private BodyRateGuard guard = BodyRateGuard.NONE;

    /**
     * @param firstByte from the end of the request until the response begins
     * @param idle between two pieces of the response, and while the upstream takes nothing of the request's body
     */
    UpstreamAttempt(Exchange exchange, UpstreamStream upstreamStream, Duration firstByte, Duration idle, Owner owner) {
        this.exchange = exchange;
        this.response = exchange.response();
        this.upstreamStream = upstreamStream;
        this.firstByte = firstByte;
        this.idle = idle;
        this.owner = owner;
    }

    /** Whose passage it is. */
    interface Owner {

        /** There will be no response; true when the exchange was taken over for another try. */
        boolean again(Refusal refusal, boolean silent);

        /** Shown the upstream's final head without what concerned its connection, to add what the proxy says of itself. */
        void responded(ResponseHead head);

        /** The connection to the upstream becomes one half of a tunnel, and the client is about to hear of it. */
        default void tunnelled(Channel upstream) {}

        /** The same of a stream: the exchange lasts as long as the tunnel. */
        default void tunnelled(Exchange exchange) {}

        /** The upstream did nothing with the request; true when the exchange was taken over for another try. */
        default boolean unprocessed(boolean leaving) {
            return false;
        }
    }

    /** @param now of {@link System#nanoTime} */
    void start(long now) {
        RequestHead request = exchange.request();
        // We response it ourselves once the body is asked for.
        request.remove(FieldName.EXPECT);
        exchange.outcome().countTry();
        exchange.outcome().markForwarded();
        requestSent = !request.hasBody();
        // Before it has the whole body the upstream owes nobody a response: what a slow client does is not counted
        // against a server, and the limits for bodies bound it.
        if (requestSent) {
            upstreamStream.expect(now, firstByte);
        }
        upstreamStream.send(request, this);
        if (request.hasBody() && !finished) {
            exchange.body().read(this);
            exchange.body().resume(); // a try before this one may have stopped it
            if (!requestSent && !finished) {
                guard = BodyRateGuard.of(exchange, this::tooSlow);
            }
        }
    }

    /** The exchange has ended or goes another way: nothing that comes is of use any more. */
    void drop() {
        if (!finished) {
            finished = true;
            guard.stop();
            upstreamStream.abort();
        }
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
        if (finished) {
            data.release();
            return;
        }
        exchange.outcome().addBytesIn(n);
        guard.received(n);
        long most = Route.of(exchange).requestBody();
        if (most > 0 && bodyBytes > most) {
            data.release();
            giveUp(Refusal.BODY_TOO_LARGE);
            return;
        }
        upstreamStream.body(data);
        if (!upstreamStream.writable()) {
            exchange.body().pause();
            guard.shut();
            if (!exchange.responding()) {
                upstreamStream.expect(System.nanoTime(), idle);
            }
        }
    }

    @Override
    public void behind(Trailers trailers) {
        ForwardedFields.behindBody(trailers);
        if (!finished && trailers.strip()) {
            upstreamStream.behindBody(trailers);
        }
    }

    @Override
    public void end() {
        if (finished) {
            return;
        }
        requestSent = true;
        guard.stop();
        upstreamStream.bodyEnd();
        if (!exchange.responding()) {
            upstreamStream.expect(System.nanoTime(), firstByte);
        }
    }

    @Override
    public void writable() {
        if (!requestSent && !exchange.responding()) {
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
        if (head.status() != 100) { // ours was sent when the body was asked for
            HopByHop.strip(head);
            response.interim(head);
        }
    }

    @Override
    public void head(ResponseHead head) {
        RequestHead request = exchange.request();
        if (request.majorVersion() > 1 && !request.upgrade().isEmpty() && head.status() < 300) {
            drop(); // 2xx would open a tunnel (RFC 8441 section 5), and the upstream has not agreed to one
            exchange.refuse(Refusal.NOT_IMPLEMENTED);
            return;
        }
        long now = exchange.timeline().mark(StageName.RESPOND);
        exchange.outcome().status(head.status());
        HopByHop.strip(head);
        head.remove(FieldName.PROXY_AUTHENTICATE);
        owner.responded(head);
        // Before the gateway's own: what it says of caching and cookies has the last word.
        Route.of(exchange).transform().response().apply(head, exchange);
        exchange.upstreamResponded(head);
        upstreamStream.expect(now, idle);
        response.onWritable(this::responseWritable);
        response.head(head);
    }

    @Override
    public void upgraded(ResponseHead head, Channel upstream, ByteBuf early) {
        finished = true;
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
        finished = true;
        TunnelPeer peer = new UpstreamTunnelPeer(upstream, exchange.loop());
        owner.tunnelled(exchange);
        agreed(head);
        open(peer, Unpooled.EMPTY_BUFFER);
    }

    /** Tells the client that its upgrade was agreed to, in the words of its own protocol. */
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
        UpgradedTunnel tunnel = new UpgradedTunnel(upstream, early, limits.idle(), limits.life());
        response.tunnel(tunnel);
        if (!tunnel.opened()) {
            tunnel.drop();
        }
    }

    @Override
    public void content(ByteBuf data) {
        response.data(data);
        if (!paused && !finished && !response.writable()) {
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
        if (paused && !finished) {
            paused = false;
            upstreamStream.expect(System.nanoTime(), idle);
            upstreamStream.resume();
        }
    }

    @Override
    public void complete() {
        finished = true;
        guard.stop();
        response.end();
    }

    @Override
    public void readComplete() {
        if (!finished) {
            if (!paused && exchange.responding()) {
                upstreamStream.expect(System.nanoTime(), idle);
            }
            response.flush();
        }
    }

    // ---- how it ends early

    @Override
    public void failed(Refusal refusal, boolean silent) {
        if (finished) {
            return;
        }
        guard.stop();
        if (exchange.responding()) {
            finished = true;
            if (!response.replace(refusal)) {
                response.cut();
            }
        } else if (owner.again(refusal, silent)) {
            finished = true;
        } else {
            finished = true;
            exchange.refuse(refusal);
        }
    }

    @Override
    public void unprocessed(boolean leaving) {
        if (finished) {
            return;
        }
        if (exchange.body().untouched() && owner.unprocessed(leaving)) {
            finished = true;
        } else {
            failed(Refusal.UPSTREAM_CLOSED, false);
        }
    }

    @Override
    public void unsupported() {
        finished = true;
        exchange.refuse(Refusal.NOT_IMPLEMENTED);
    }

    @Override
    public void unsendable() {
        finished = true;
        exchange.outcome().markAmbiguous();
        exchange.outcome().reason(Outcome.AMBIGUOUS);
        exchange.refuse(Refusal.INTERNAL);
    }

    @Override
    public void late() {
        if (finished) {
            return;
        }
        if (exchange.responding() || exchange.ended()) {
            giveUp(Refusal.UPSTREAM_STALLED);
            return;
        }
        drop();
        if (!owner.again(Refusal.UPSTREAM_STALLED, true)) {
            exchange.refuse(Refusal.UPSTREAM_STALLED);
        }
    }

    /** The exchange as a whole takes too long, because of whom it waits for now. */
    void tooLong() {
        boolean clientSends = !requestSent && upstreamStream.writable();
        giveUp(clientSends ? Refusal.REQUEST_TIMEOUT : Refusal.UPSTREAM_STALLED);
    }

    /** Ends the try and the exchange: it is cut off, or refused when no response has begun. */
    private void giveUp(Refusal refusal) {
        if (finished) {
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
