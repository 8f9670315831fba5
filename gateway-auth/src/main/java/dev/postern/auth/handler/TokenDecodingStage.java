package dev.postern.auth.handler;

import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.session.SessionCookies;
import dev.postern.auth.token.DecodeResult;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <i>Identify</i>: knows the session by its cookie, or takes the token out of the request, or asks for one where the route wants one. */
public final class TokenDecodingStage extends AuthStage {

    /** The token that <i>verify</i> has to judge. */
    static final ExchangeKey<Token> TOKEN = ExchangeKey.of("token");

    private static final FieldName ORIGIN = FieldName.of("origin");
    private static final FieldName REQUEST_METHOD = FieldName.of("access-control-request-method");

    private final TokenHeader header;
    private final DeprioritizedVerification verification;
    private final @Nullable SessionCookies cookies;

    /**
     * @param types of tokens that are asked for
     * @param verification what becomes of tokens of networks that send too many forged ones
     * @param cookies null where no route sells any
     */
    public TokenDecodingStage(
            FieldName tokenHeader,
            List<TokenType> types,
            Challenger challenger,
            Enforcement enforcement,
            DeprioritizedVerification verification,
            @Nullable SessionCookies cookies) {
        super(StageName.IDENTIFY, challenger, enforcement);
        this.header = new TokenHeader(tokenHeader, types);
        this.verification = verification;
        this.cookies = cookies;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        if (knownBySession(exchange)) {
            header.removeTokens(exchange.request(), exchange.client().listener());
            proceed(exchange);
        } else if (Route.of(exchange).token() == Route.Token.OFF) {
            header.removeTokens(exchange.request(), exchange.client().listener());
            skip(exchange);
        } else if (verification.hopeless(exchange)
                && header.holdsToken(exchange.request(), exchange.client().listener())) {
            verification.unread();
            reject(exchange, VerifyMeters.OVER_BUDGET);
        } else {
            decode(exchange);
        }
    }

    /** On all routes the cookie is taken away: browsers send it to the whole host. */
    private boolean knownBySession(Exchange exchange) {
        SessionCookies sold = cookies;
        if (sold == null || !exchange.client().listener().reverse()) {
            return false;
        }
        Credential credential = Route.of(exchange).token() == Route.Token.SESSION ? sold.find(exchange) : null;
        sold.strip(exchange.request());
        if (credential != null) {
            exchange.credential(credential);
        }
        return credential != null;
    }

    private void decode(Exchange exchange) {
        DecodeResult result = header.read(exchange.request(), exchange.client().listener());
        if (result instanceof DecodeResult.Decoded decoded) {
            header.remove(exchange.request(), exchange.client().listener());
            header.removeTokens(exchange.request(), exchange.client().listener());
            exchange.put(TOKEN, decoded.token());
            proceed(exchange);
        } else if (result instanceof DecodeResult.Malformed) {
            header.removeTokens(exchange.request(), exchange.client().listener());
            reject(exchange, Refusal.CREDENTIALS_MALFORMED, "malformed");
        } else if (result instanceof DecodeResult.Unsupported) {
            reject(exchange, "unsupported-type");
        } else {
            withoutToken(exchange, result);
        }
    }

    /** A GREASE token is treated like none at all (RFC 9577 section 4.1). */
    private void withoutToken(Exchange exchange, DecodeResult result) {
        boolean grease = result instanceof DecodeResult.Grease;
        header.removeTokens(exchange.request(), exchange.client().listener());
        if (preflight(exchange)) {
            proceed(exchange);
        } else if (Route.of(exchange).token() == Route.Token.OPTIONAL) {
            if (Route.of(exchange).rateLimit() != null) {
                challenger().invite(exchange); // holders go first: who waits should know how to become one
            }
            proceed(exchange);
        } else {
            reject(exchange, grease ? "grease" : "missing");
        }
    }

    /** In report-only mode the exchange proceeds, so its tokens are taken out in any case. */
    private void reject(Exchange exchange, String reason) {
        header.removeTokens(exchange.request(), exchange.client().listener());
        reject(exchange, Refusal.TOKEN_REQUIRED, reason);
    }

    /** A browser asks for permission before it sends what carries the token; it can't carry one itself. */
    private static boolean preflight(Exchange exchange) {
        RequestHead head = exchange.request();
        return Route.of(exchange).preflight() == Route.Preflight.FORWARD
                && head.method().equals(Method.OPTIONS)
                && head.has(ORIGIN)
                && head.has(REQUEST_METHOD);
    }
}
