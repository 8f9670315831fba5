package dev.postern.auth.handler;

import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.session.SessionCookies;
import dev.postern.auth.token.DecodeResult;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
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
        boolean session = knownBySession(exchange);
        boolean skipped = session || Route.of(exchange).token() == Route.Token.OFF;
        @Nullable DecodeResult result = skipped ? null : decode(exchange);
        // Before anything else happens, on every way: an upstream that sees an unspent token could spend it.
        header.removeTokens(exchange.request(), exchange.client().listener());
        if (session) {
            proceed(exchange);
        } else if (skipped) {
            skip(exchange);
        } else if (result == null) {
            verification.refuse(exchange, () -> reject(exchange, Refusal.TOKEN_REQUIRED, VerifyMeters.OVER_BUDGET));
        } else {
            decoded(exchange, result);
        }
    }

    /** Returns null for a token that is refused without being read. */
    private @Nullable DecodeResult decode(Exchange exchange) {
        RequestHead head = exchange.request();
        ListenerInfo listener = exchange.client().listener();
        boolean unverified = verification.refusesUnverified(exchange) && header.holdsToken(head, listener);
        return unverified ? null : header.read(head, listener);
    }

    /** Recognizes the session, and removes the cookie on all routes: browsers send it to the whole host. */
    private boolean knownBySession(Exchange exchange) {
        SessionCookies sessions = cookies;
        if (sessions == null || !exchange.client().listener().reverse()) {
            return false;
        }
        Credential credential = Route.of(exchange).token() == Route.Token.SESSION ? sessions.find(exchange) : null;
        sessions.strip(exchange.request());
        if (credential != null) {
            exchange.credential(credential);
        }
        return credential != null;
    }

    private void decoded(Exchange exchange, DecodeResult result) {
        if (result instanceof DecodeResult.Decoded decoded) {
            exchange.put(TOKEN, decoded.token());
            proceed(exchange);
        } else if (result instanceof DecodeResult.Malformed) {
            reject(exchange, Refusal.CREDENTIALS_MALFORMED, "malformed");
        } else if (result instanceof DecodeResult.Unsupported) {
            reject(exchange, Refusal.TOKEN_REQUIRED, "unsupported-type");
        } else {
            withoutToken(exchange, result);
        }
    }

    /** Handles a request without a token; a GREASE token is treated like none (RFC 9577 section 4.1). */
    private void withoutToken(Exchange exchange, DecodeResult result) {
        Route route = Route.of(exchange);
        if (route.preflight().passes(exchange.request())) {
            proceed(exchange);
        } else if (route.token() == Route.Token.OPTIONAL) {
            if (route.rateLimit() != null) {
                // token holders are admitted first, so a waiting client should get a challenge
                challenger().invite(exchange);
            }
            proceed(exchange);
        } else {
            boolean grease = result instanceof DecodeResult.Grease;
            reject(exchange, Refusal.TOKEN_REQUIRED, grease ? "grease" : "missing");
        }
    }
}
