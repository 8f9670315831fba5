package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.ByteArrayOutputStream;

/**
 * Handler that waits for the body of each exchange of one connection and passes head and body on as one request. On the connection's event
 * loop.
 */
final class AdminExchanges extends ChannelInboundHandlerAdapter {

    private static final int MAX_BODY = 65_536;

    private final Channel channel;
    private final HalfRequests<Channel> halves;
    private final Handler handler;

    AdminExchanges(Channel channel, HalfRequests<Channel> halves, Handler handler) {
        this.channel = channel;
        this.halves = halves;
        this.handler = handler;
    }

    /** Handles requests; the response may follow later. */
    @FunctionalInterface
    interface Handler {

        void handle(AdminExchange adminExchange);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Exchange exchange = (Exchange) message;
        Refusal fault = exchange.fault();
        if (fault != null) {
            exchange.refuse(fault);
            return;
        }
        exchange.whenEnded(ended -> halves.responded(channel));
        exchange.body().read(new Whole(exchange));
    }

    private void whole(Exchange exchange, String body) {
        halves.completed(channel);
        AdminRequest request;
        try {
            request = AdminRequest.of(exchange.request(), body);
        } catch (IllegalArgumentException e) {
            exchange.refuse(Refusal.REQUEST_MALFORMED); // invalid percent-encoding in the query
            return;
        }
        handler.handle(new AdminExchange(request, exchange));
    }

    /** Reader that collects a body. */
    private final class Whole implements RequestBody.Reader {

        private final Exchange exchange;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);

        Whole(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void data(ByteBuf data) {
            try {
                if (exchange.responding()) {
                    return;
                }
                if (bytes.size() + data.readableBytes() > MAX_BODY) {
                    exchange.refuse(Refusal.BODY_TOO_LARGE);
                } else {
                    byte[] some = new byte[data.readableBytes()];
                    data.readBytes(some);
                    bytes.writeBytes(some);
                }
            } finally {
                data.release();
            }
        }

        @Override
        public void end() {
            if (!exchange.responding()) {
                whole(exchange, bytes.toString(UTF_8));
            }
        }

        @Override
        public void broken() {
            // The connection closes, and the exchange ends with it.
        }
    }
}
