package dev.postern.app.admin;

import dev.postern.app.admin.AdminToken.Rights;
import dev.postern.core.rate.LogRateLimiter;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to the admin address: which caller may read and change. Reading needs a token only where there is one with the right to read, for
 * else such a token would be of no use. Thread-safe.
 */
public final class AdminAccess {

    private static final Logger LOG = LoggerFactory.getLogger(AdminAccess.class);
    private static final String SCHEME = "Bearer ";

    private final GuessLimiter guesses;
    private final LogRateLimiter line;
    private volatile List<AdminToken> tokens;

    public AdminAccess(List<AdminToken> tokens, Ticker ticker) {
        this.tokens = List.copyOf(tokens);
        this.guesses = new GuessLimiter(ticker);
        this.line = new LogRateLimiter(ticker);
    }

    /** Replaces the tokens. */
    public void tokens(List<AdminToken> wanted) {
        tokens = List.copyOf(wanted);
    }

    /** What was decided about a request. */
    enum Verdict {
        ALLOWED,
        /** No token has the right. */
        NO_TOKENS,
        MISSING,
        WRONG,
        /** The token has not the right. */
        FORBIDDEN,
        /** The address sent too many wrong tokens; this one was not looked at. */
        LIMITED
    }

    /**
     * Decision about a request.
     *
     * @param token name of the token; empty where none was needed or found
     * @param pause seconds until the next token is looked at; 0 for now
     */
    record Decision(Verdict verdict, String token, long pause) {

        private static Decision of(Verdict verdict) {
            return new Decision(verdict, "", 0);
        }
    }

    /** @param credentials value of an Authorization field; empty for none */
    Decision decide(Rights needed, String credentials, InetAddress caller) {
        List<AdminToken> now = tokens;
        boolean open = needed == Rights.READ && now.stream().noneMatch(token -> token.rights() == Rights.READ);
        if (open) {
            return Decision.of(Verdict.ALLOWED);
        }
        if (needed == Rights.CHANGE && now.stream().noneMatch(token -> token.rights() == Rights.CHANGE)) {
            return Decision.of(Verdict.NO_TOKENS);
        }
        if (credentials.isEmpty()) {
            return Decision.of(Verdict.MISSING);
        }
        long pause = guesses.pause(caller);
        if (pause > 0) {
            return new Decision(Verdict.LIMITED, "", pause);
        }
        AdminToken token = find(now, credentials);
        if (token == null) {
            guesses.wrong(caller);
            if (line.tryAcquire()) { // each wrong token is an attempt, but a flood of them must not fill the disk
                LOG.warn("admin: wrong token from {} (more may follow)", caller.getHostAddress());
            }
            return Decision.of(Verdict.WRONG);
        }
        boolean enough = needed == Rights.READ || token.rights() == Rights.CHANGE;
        return new Decision(enough ? Verdict.ALLOWED : Verdict.FORBIDDEN, token.name(), 0);
    }

    private static @Nullable AdminToken find(List<AdminToken> tokens, String credentials) {
        if (!credentials.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        byte[] digest = AdminToken.digest(credentials.substring(SCHEME.length()).strip());
        AdminToken found = null;
        for (AdminToken token : tokens) { // all of them, so that the time says nothing about which one matched
            found = token.matches(digest) ? token : found;
        }
        return found;
    }
}
