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

/**
 * Stage <i>identify</i>: recognizes the session by its cookie, or takes the token out of the request, or challenges the client when the
 * route requires a token.
 */
public final class TokenDecodingStage extends AuthStage {

    /** Token for the stage <i>verify</i>. */
    static final ExchangeKey<Token> TOKEN = ExchangeKey.of("token");

    private static final FieldName ORIGIN = FieldName.of("origin");
    private static final FieldName REQUEST_METHOD = FieldName.of("access-control-request-method");

    private final TokenHeader header;
    private final DeprioritizedVerification verification;
    private final @Nullable SessionCookies cookies;

    /**
     * @param types accepted token types
     * @param verification handles tokens of client networks that send too many forged ones
     * @param cookies null when no route uses sessions
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
            // Removed now, since the bytes of the head were just read.
            header.removeTokens(exchange.request(), exchange.client().listener());
            verification.refuse(exchange, () -> reject(exchange, Refusal.TOKEN_REQUIRED, VerifyMeters.OVER_BUDGET));
        } else {
            decode(exchange);
        }
    }

    /** Recognizes the session, and removes the cookie on all routes: browsers send it to the whole host. */
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

    /** Handles a request without a token; a GREASE token is treated like none (RFC 9577 section 4.1). */
    private void withoutToken(Exchange exchange, DecodeResult result) {
        boolean grease = result instanceof DecodeResult.Grease;
        header.removeTokens(exchange.request(), exchange.client().listener());
        if (preflight(exchange)) {
            proceed(exchange);
        } else if (Route.of(exchange).token() == Route.Token.OPTIONAL) {
            if (Route.of(exchange).rateLimit() != null) {
                // token holders are admitted first, so a waiting client should get a challenge
                challenger().invite(exchange);
            }
            proceed(exchange);
        } else {
            reject(exchange, grease ? "grease" : "missing");
        }
    }

    /** Rejects the exchange, and removes all tokens, since the exchange proceeds in report-only mode. */
    private void reject(Exchange exchange, String reason) {
        header.removeTokens(exchange.request(), exchange.client().listener());
        reject(exchange, Refusal.TOKEN_REQUIRED, reason);
    }

    /** Returns whether the request is a CORS preflight, which cannot carry a token. */
    private static boolean preflight(Exchange exchange) {
        RequestHead head = exchange.request();
        return Route.of(exchange).preflight() == Route.Preflight.FORWARD
                && head.method().equals(Method.OPTIONS)
                && head.has(ORIGIN)
                && head.has(REQUEST_METHOD);
    }
}
