package dev.postern.auth.handler;

import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.TokenVerifier.Candidate;
import dev.postern.auth.verify.VerificationExecutor;
import dev.postern.auth.verify.VerificationResult;
import dev.postern.core.exchange.Exchange;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Dispatcher of signature checks: on the event loop, at once, or where there are batches at the end of the loop's iteration; on a worker
 * thread when the check is too long for an event loop; in idle time when too many tokens of the client network failed.
 *
 * <p>Thread-safe; called on the event loop of the exchange. Calls the listener there, at once or later and at most once, and not when the
 * exchange has ended meanwhile.
 */
final class VerificationDispatcher {

    private static final VerificationResult SPENT = new VerificationResult.Spent();
    private static final VerificationResult INVALID = new VerificationResult.Invalid();
    private static final VerificationResult BUSY = new VerificationResult.Busy();
    private static final VerificationResult OVER_BUDGET = new VerificationResult.OverBudget();

    private final TokenVerifier verifier;
    private final DeprioritizedVerification verification;
    private final VerificationExecutor executor;
    private final TokenBatches batches;
    private final Predicate<byte[]> knownSpent;

    /** @param knownSpent whether the ledger knows locally that the key is spent */
    VerificationDispatcher(
            TokenVerifier verifier,
            DeprioritizedVerification verification,
            VerificationExecutor executor,
            TokenBatches batches,
            Predicate<byte[]> knownSpent) {
        this.verifier = verifier;
        this.verification = verification;
        this.executor = executor;
        this.batches = batches;
        this.knownSpent = knownSpent;
    }

    /** @param patient whether the exchange may wait for idle time */
    void judge(Exchange exchange, PresentedToken token, boolean patient, Consumer<VerificationResult> listener) {
        if (verification.withinBudget(exchange)) {
            check(exchange, token, good -> verification.verified(exchange, good), listener);
        } else if (patient) {
            verification.defer(
                    exchange,
                    () -> check(exchange, token, good -> verification.verifiedWhenIdle(exchange, good), listener),
                    () -> respond(exchange, OVER_BUDGET, listener));
        } else {
            listener.accept(OVER_BUDGET);
        }
    }

    /** Checks the token. A token known to be spent needs no signature check and does not count as a failure. */
    private void check(
            Exchange exchange, PresentedToken token, Consumer<Boolean> outcome, Consumer<VerificationResult> listener) {
        if (knownSpent.test(token.ledgerKey())) {
            respond(exchange, SPENT, listener);
        } else {
            verify(exchange, token.candidate(), outcome, listener);
        }
    }

    private void verify(
            Exchange exchange, Candidate candidate, Consumer<Boolean> outcome, Consumer<VerificationResult> listener) {
        SignatureCheck check = verifier.check(candidate, exchange.loop());
        if (check.costly()) {
            offer(exchange, candidate, check, outcome, listener);
        } else if (batches.available() && candidate.key().key() instanceof RsaKey key) {
            batches.add(new WaitingToken(
                    exchange,
                    candidate.token(),
                    key,
                    check,
                    good -> settle(exchange, candidate, good, outcome, listener)));
        } else {
            settle(exchange, candidate, check.accepts(candidate.token()), outcome, listener);
        }
    }

    private void offer(
            Exchange exchange,
            Candidate candidate,
            SignatureCheck check,
            Consumer<Boolean> outcome,
            Consumer<VerificationResult> listener) {
        boolean taken = executor.offer(() -> check.accepts(candidate.token()), exchange.loop(), response -> {
            if (response == VerificationExecutor.Response.GIVEN_UP) {
                respond(exchange, BUSY, listener);
            } else {
                settle(exchange, candidate, response == VerificationExecutor.Response.ACCEPTED, outcome, listener);
            }
        });
        if (!taken) {
            listener.accept(BUSY);
        }
    }

    private static void settle(
            Exchange exchange,
            Candidate candidate,
            boolean good,
            Consumer<Boolean> outcome,
            Consumer<VerificationResult> listener) {
        outcome.accept(good);
        respond(exchange, good ? candidate.good() : INVALID, listener);
    }

    private static void respond(Exchange exchange, VerificationResult result, Consumer<VerificationResult> listener) {
        if (!exchange.ended()) {
            listener.accept(result);
        }
    }
}
