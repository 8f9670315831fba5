package dev.postern.auth.handler;

import dev.postern.auth.session.Sessions;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.WhenUnknown;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.Route;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spends the token of an exchange and lets it pass when this was the first time; the last stage before it is forwarded.
 *
 * <p>What was spent for nothing is given back: an attempt that nobody can vouch for and that is refused, always; a fresh one whose exchange
 * never reached an upstream, on reverse listeners only, since on forward ones it would make a free port scanner.
 */
public final class DoubleSpendHandler extends ExchangeHandler {

    private static final Logger LOG = LoggerFactory.getLogger(DoubleSpendHandler.class);
    private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SpendLedger ledger;
    private final Challenger challenger;
    private final Terms terms;
    private final boolean acceptUnknown;
    private final boolean giveBack;
    private final SpendMeters meters;
    private final AtomicLong warnedAt = new AtomicLong(System.nanoTime() - WARN_EVERY_NANOS);

    /**
     * How strictly, and what else a token buys.
     *
     * @param sessions null where no route sells any
     */
    public record Terms(Enforcement enforcement, @Nullable Sessions sessions) {}

    public DoubleSpendHandler(
            SpendLedger ledger, Challenger challenger, LedgerSettings settings, SpendMeters meters, Terms terms) {
        super(Stage.SPEND);
        this.ledger = ledger;
        this.challenger = challenger;
        this.terms = terms;
        this.acceptUnknown = settings.whenUnknown() == WhenUnknown.ACCEPT;
        this.giveBack = settings.giveBack();
        this.meters = meters;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        Redemption redemption = exchange.get(Redemption.SLOT);
        if (redemption == null) {
            skip(exchange);
            return;
        }
        Credential credential = exchange.credential();
        if (credential == null || !credential.acceptable()) {
            challenge(exchange, "wrong-challenge");
            return;
        }
        long start = exchange.timeline().lastNanos();
        ledger.spend(redemption, exchange.loop(), attempt -> {
            // Every check is timed, whatever came of it: a sample would hide what happens to few.
            meters.record(exchange, attempt, start, mark(exchange));
            decide(exchange, credential, attempt);
        });
    }

    private void decide(Exchange exchange, Credential credential, SpendAttempt attempt) {
        switch (attempt.result()) {
            case FRESH -> let(exchange, credential, attempt);
            case SPENT -> challenge(exchange, "spent");
            case UNKNOWN -> {
                if (acceptUnknown) {
                    warn();
                    let(exchange, credential, attempt);
                } else {
                    ledger.giveBack(attempt);
                    turnAway(exchange, attempt.busy() ? Refusal.LEDGER_BUSY : Refusal.LEDGER_UNKNOWN);
                }
            }
        }
    }

    private void let(Exchange exchange, Credential credential, SpendAttempt attempt) {
        credential.markSpent();
        boolean reverse = exchange.client().listener().reverse();
        Route route = exchange.routeOrNull();
        boolean sells = reverse && route != null && route.token() == Route.Token.SESSION;
        Sessions sold = sells ? terms.sessions() : null;
        if (sold != null) {
            sold.sell(exchange, credential);
        }
        if (giveBack && reverse) {
            exchange.whenEnded(ended -> {
                // Whoever got any answer got the session with it, which is what the token was for.
                boolean got = sold != null && ended.outcome().status() != 0;
                if (!ended.outcome().forwarded() && !got) {
                    ledger.giveBack(attempt);
                }
            });
        }
        passMarked(exchange);
    }

    private void challenge(Exchange exchange, String reason) {
        if (terms.enforcement().overlooks(exchange, Refusal.TOKEN_REQUIRED, reason)) {
            pass(exchange);
        } else {
            exchange.timeline().mark(Stage.SPEND);
            challenger.challenge(exchange, reason);
        }
    }

    private void turnAway(Exchange exchange, Refusal refusal) {
        if (terms.enforcement().overlooks(exchange, refusal, "")) {
            pass(exchange);
        } else {
            refuse(exchange, refusal);
        }
    }

    private void warn() {
        meters.unknownAccepted();
        long now = System.nanoTime();
        long last = warnedAt.get();
        if (now - last >= WARN_EVERY_NANOS && warnedAt.compareAndSet(last, now)) {
            LOG.warn("spend ledger does not answer; tokens are accepted unchecked (when-unknown: accept)");
        }
    }
}
