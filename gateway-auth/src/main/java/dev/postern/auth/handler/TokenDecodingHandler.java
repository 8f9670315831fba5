package dev.postern.auth.handler;

import dev.postern.auth.token.Decoding;
import dev.postern.auth.token.Token;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.Method;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.exchange.Slot;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.Route;
import io.netty.channel.ChannelHandlerContext;

/** <i>Identify</i>: takes the token out of the request, or asks for one where the route wants one. */
public final class TokenDecodingHandler extends ExchangeHandler {

    /** The token that <i>verify</i> has to judge. */
    static final Slot<Token> TOKEN = Slot.of("token");

    private static final FieldName ORIGIN = FieldName.of("origin");
    private static final FieldName REQUEST_METHOD = FieldName.of("access-control-request-method");

    private final CredentialField field;
    private final Challenger challenger;

    public TokenDecodingHandler(FieldName tokenHeader, Challenger challenger) {
        super(Stage.IDENTIFY);
        this.field = new CredentialField(tokenHeader);
        this.challenger = challenger;
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        if (exchange.route().token() == Route.Token.OFF) {
            pass(ctx, exchange);
            return;
        }
        Decoding decoding = field.read(exchange.request(), exchange.client().listener());
        if (decoding instanceof Decoding.Decoded decoded) {
            field.remove(exchange.request(), exchange.client().listener());
            exchange.put(TOKEN, decoded.token());
            pass(ctx, exchange);
        } else if (decoding instanceof Decoding.Malformed) {
            exchange.outcome().reason("malformed");
            refuse(exchange, Refusal.CREDENTIALS_MALFORMED);
        } else if (decoding instanceof Decoding.Unsupported) {
            challenge(exchange, "unsupported-type");
        } else {
            withoutToken(ctx, exchange, decoding);
        }
    }

    /** A GREASE token is treated like none at all (RFC 9577 section 4.1). */
    private void withoutToken(ChannelHandlerContext ctx, Exchange exchange, Decoding decoding) {
        boolean grease = decoding instanceof Decoding.Grease;
        if (grease) {
            field.remove(exchange.request(), exchange.client().listener());
        }
        if (exchange.route().token() == Route.Token.OPTIONAL || preflight(exchange)) {
            pass(ctx, exchange);
        } else {
            challenge(exchange, grease ? "grease" : "missing");
        }
    }

    private void challenge(Exchange exchange, String reason) {
        exchange.timeline().mark(Stage.IDENTIFY);
        challenger.challenge(exchange, reason);
    }

    /** A browser asks for permission before it sends what carries the token; it can't carry one itself. */
    private static boolean preflight(Exchange exchange) {
        RequestHead head = exchange.request();
        return exchange.route().preflight() == Route.Preflight.FORWARD
                && head.method().equals(Method.OPTIONS)
                && head.has(ORIGIN)
                && head.has(REQUEST_METHOD);
    }
}
