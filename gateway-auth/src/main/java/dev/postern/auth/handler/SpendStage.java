package dev.postern.auth.handler;

import dev.postern.auth.handler.SpendRule.Decision;
import dev.postern.auth.session.SessionCookies;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.route.Route;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spends the token of an exchange, as {@link SpendRule} decides; the last stage before the exchange is forwarded. */
public final class SpendStage extends AuthStage {

    private static final Logger LOG = LoggerFactory.getLogger(SpendStage.class);

    private final SpendLedger ledger;
    private final SpendRule rule;
    private final SpendMeters meters;
    private final @Nullable SessionCookies cookies;
    private final LogRateLimiter warnings;

    /**
     * Terms of the stage: enforcement, and the sessions that a token buys.
     *
     * @param cookies null when no route uses sessions
     */
    public record Terms(Enforcement enforcement, @Nullable SessionCookies cookies) {}

    /** @param ticker limits the log lines */
    public SpendStage(
            SpendLedger ledger,
            Challenger challenger,
            LedgerSettings settings,
            SpendMeters meters,
            Terms terms,
            Ticker ticker) {
        super(StageName.SPEND, challenger, terms.enforcement());
        this.ledger = ledger;
        this.rule = SpendRule.of(settings);
        this.meters = meters;
        this.cookies = terms.cookies();
        this.warnings = new LogRateLimiter(Duration.ofSeconds(10), ticker);
    }

    @Override
    protected void onExchange(Exchange exchange) {
        Redemption redemption = exchange.get(Redemption.KEY);
        if (redemption == null) {
            skip(exchange);
            return;
        }
        Credential credential = exchange.credential();
        if (credential == null || !credential.acceptable()) {
            reject(exchange, Refusal.TOKEN_REQUIRED, "wrong-challenge");
            return;
        }
        long start = exchange.timeline().lastNanos();
        ledger.spend(redemption, exchange.loop(), spend -> {
            // Every check is timed, whatever its result: a sample would hide what happens to few.
            meters.record(exchange, spend, start, mark(exchange));
            follow(exchange, credential, spend);
        });
    }

    private void follow(Exchange exchange, Credential credential, PendingSpend spend) {
        boolean reverse = exchange.client().listener().reverse();
        SessionCookies issuer = reverse && buysSession(exchange) ? cookies : null;
        Decision decision = rule.decide(spend.result(), spend.busy(), reverse, issuer != null);
        if (decision instanceof Decision.Admit admit) {
            if (admit.unchecked()) {
                noteUnchecked();
            }
            credential.markSpent();
            if (issuer != null) {
                issuer.sell(exchange, credential);
            }
            refundLater(exchange, spend, admit.refund());
            proceed(exchange);
        } else if (decision instanceof Decision.Challenge challenge) {
            reject(exchange, Refusal.TOKEN_REQUIRED, challenge.reason());
        } else if (decision instanceof Decision.Refuse refuse) {
            ledger.refund(spend);
            reject(exchange, refuse.refusal(), "");
        }
    }

    private void noteUnchecked() {
        meters.unknownAccepted();
        if (warnings.tryAcquire()) {
            LOG.warn("spend ledger does not respond; tokens are accepted unchecked (when-unknown: accept)");
        }
    }

    private static boolean buysSession(Exchange exchange) {
        Route route = Route.orNull(exchange);
        return route != null && route.token() == Route.Token.SESSION;
    }

    private void refundLater(Exchange exchange, PendingSpend spend, SpendRule.Refund refund) {
        if (refund != SpendRule.Refund.NEVER) {
            exchange.whenEnded(ended -> {
                if (refund.due(ended.outcome().forwarded(), ended.outcome().status() != 0)) {
                    ledger.refund(spend);
                }
            });
        }
    }
}
