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

    private final TokenHeader field;
    private final DeprioritizedVerification overdraft;
    private final @Nullable SessionCookies sessions;

    /**
     * @param types of tokens that are asked for
     * @param overdraft what becomes of tokens of networks that send too many forged ones
     * @param sessions null where no route sells any
     */
    public TokenDecodingStage(
            FieldName tokenHeader,
            List<TokenType> types,
            Challenger challenger,
            Enforcement enforcement,
            DeprioritizedVerification overdraft,
            @Nullable SessionCookies sessions) {
        super(StageName.IDENTIFY, challenger, enforcement);
        this.field = new TokenHeader(tokenHeader, types);
        this.overdraft = overdraft;
        this.sessions = sessions;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        if (knownBySession(exchange)) {
            field.removeTokens(exchange.request(), exchange.client().listener());
            proceed(exchange);
        } else if (Route.of(exchange).token() == Route.Token.OFF) {
            field.removeTokens(exchange.request(), exchange.client().listener());
            skip(exchange);
        } else if (overdraft.hopeless(exchange)
                && field.holdsToken(exchange.request(), exchange.client().listener())) {
            overdraft.unread();
            reject(exchange, VerifyMeters.OVER_BUDGET);
        } else {
            decode(exchange);
        }
    }

    /** On all routes the cookie is taken away: browsers send it to the whole host. */
    private boolean knownBySession(Exchange exchange) {
        SessionCookies sold = sessions;
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
        DecodeResult decoding = field.read(exchange.request(), exchange.client().listener());
        if (decoding instanceof DecodeResult.Decoded decoded) {
            field.remove(exchange.request(), exchange.client().listener());
            field.removeTokens(exchange.request(), exchange.client().listener());
            exchange.put(TOKEN, decoded.token());
            proceed(exchange);
        } else if (decoding instanceof DecodeResult.Malformed) {
            field.removeTokens(exchange.request(), exchange.client().listener());
            reject(exchange, Refusal.CREDENTIALS_MALFORMED, "malformed");
        } else if (decoding instanceof DecodeResult.Unsupported) {
            reject(exchange, "unsupported-type");
        } else {
            withoutToken(exchange, decoding);
        }
    }

    /** A GREASE token is treated like none at all (RFC 9577 section 4.1). */
    private void withoutToken(Exchange exchange, DecodeResult decoding) {
        boolean grease = decoding instanceof DecodeResult.Grease;
        field.removeTokens(exchange.request(), exchange.client().listener());
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
        field.removeTokens(exchange.request(), exchange.client().listener());
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
