package dev.postern.core.http2;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.route.RoutingSnapshot;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Listener for the frames of a client: creates exchanges from field sections, and bodies from DATA frames. Event loop only. */
final class ServerFrameListener extends AbstractFrameListener {

    private final Http2ServerConnection connection;
    private final RequestHeaderBlock block;
    private final RequestHeadMapper mapper;
    private final ClientConnection client;
    private final Supplier<RoutingSnapshot> snapshots;

    ServerFrameListener(
            Http2ServerConnection connection,
            RequestHeaderBlock block,
            ClientConnection client,
            Supplier<RoutingSnapshot> snapshots) {
        super(connection);
        this.connection = connection;
        this.block = block;
        this.client = client;
        this.snapshots = snapshots;
        this.mapper = new RequestHeadMapper(!client.listener().reverse(), client.maybeSecure());
    }

    @Override
    protected void fields(ChannelHandlerContext ctx, int streamId, boolean endStream) {
        Http2Stream stream = connection.connection().stream(streamId);
        if (stream == null) {
            return;
        }
        Http2ResponseWriter known = connection.response(streamId);
        if (known != null) {
            trailers(known);
        } else {
            request(ctx, stream, endStream);
        }
    }

    private void request(ChannelHandlerContext ctx, Http2Stream stream, boolean endStream) {
        if (connection.full()) {
            connection.reset(stream, Http2Error.REFUSED_STREAM);
            connection.fault();
            return;
        }
        Timeline timeline = new Timeline(connection.ticker());
        boolean trusted = client.trusted();
        RequestHeadMapper.@Nullable Wrong wrong = mapper.complete(block, endStream, trusted);
        RequestHead head = block.head();
        Http2ResponseWriter response = new Http2ResponseWriter(connection, stream);
        Http2RequestBody body =
                endStream ? null : new Http2RequestBody(new Source(stream, response), head, connection.ticker());
        boolean wanted = wrong == null && (head.hasBody() || head.mayTunnel());
        RequestBody seen = body != null && wanted ? body : RequestBody.EMPTY;
        Exchange.Carrier carrier = new Exchange.Carrier(seen, response, PipelineTurn.NOW);
        Exchange exchange = snapshots.get().rule(new Exchange(client, head, carrier, timeline));
        response.exchange(exchange, body);
        connection.arrived(response);
        if (wrong != null) {
            exchange.fault(wrong.refusal());
            exchange.outcome().reason(wrong.why());
            if (wrong.malformed()) {
                response.resetAfter(Http2Error.PROTOCOL_ERROR);
            }
        }
        ctx.fireChannelRead(exchange);
        if (wrong != null && wrong.malformed()) {
            connection.fault();
        }
    }

    private void trailers(Http2ResponseWriter response) {
        String wrong = RequestHeadMapper.trailers(block);
        Http2RequestBody body = response.body();
        if (wrong != null || (body != null && !body.ended(block.trailers()))) {
            malformed(response, wrong == null ? "Content-Length" : wrong);
        }
    }

    @Override
    protected int data(int streamId, ByteBuf data, int padding, boolean endStream) {
        int all = data.readableBytes() + padding;
        Http2ResponseWriter response = connection.response(streamId);
        Http2RequestBody body = response == null ? null : response.body();
        if (response == null || body == null) {
            return all;
        }
        int taken = body.received(data, endStream);
        if (taken < 0) {
            malformed(response, "Content-Length");
            return all;
        }
        connection.discarded(response, body);
        return taken + padding;
    }

    /** Rejects a body that does not match its head (RFC 9113 section 8.1.1). */
    private void malformed(Http2ResponseWriter response, String reason) {
        if (response.handedOver()) {
            connection.reset(response.stream(), Http2Error.PROTOCOL_ERROR);
        } else {
            response.resetAfter(Http2Error.PROTOCOL_ERROR);
            Exchange exchange = response.exchange();
            if (exchange.responding()) {
                response.cut();
            } else {
                exchange.outcome().reason(reason);
                exchange.refuse(Refusal.REQUEST_MALFORMED);
            }
        }
        Http2RequestBody body = response.body();
        if (body != null) {
            body.fail();
        }
        connection.fault();
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        Http2ResponseWriter response = connection.response(streamId);
        if (response != null) {
            response.abandon();
        }
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) {
        connection.acknowledged();
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) {
        connection.pinged(data);
    }

    /** Source of a request body: its stream. */
    private final class Source implements Http2RequestBody.Source {

        private final Http2Stream stream;
        private final Http2ResponseWriter response;

        Source(Http2Stream stream, Http2ResponseWriter response) {
            this.stream = stream;
            this.response = response;
        }

        @Override
        public void taken(int bytes) {
            connection.taken(stream, bytes);
        }

        @Override
        public void passedOn(Http2RequestBody body) {
            connection.passedOn(body);
        }

        @Override
        public boolean open() {
            return connection.receives();
        }

        @Override
        public void awaited() {
            RequestHead head = response.exchange().request();
            if (head.expectsContinue() && !response.begun()) {
                head.expectsContinue(false);
                response.interim(new ResponseHead().status(100));
            }
        }
    }
}
