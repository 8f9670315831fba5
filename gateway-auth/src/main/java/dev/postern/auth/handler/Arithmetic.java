package dev.postern.auth.handler;

import dev.postern.auth.budget.Overdraft;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.TokenVerifier.Candidate;
import dev.postern.auth.verify.Verdict;
import dev.postern.auth.verify.Workers;
import dev.postern.core.exchange.Exchange;
import java.util.function.Consumer;

/**
 * Where and when the arithmetic of a token is done: at once on its loop; on a worker, where it is too long for a loop; in spare time, where
 * too many of its network's failed.
 *
 * <p>Thread-safe; called on the loop of the exchange, and tells the verdict there, at once or later and at most once: nobody is told of an
 * exchange that ended meanwhile.
 */
final class Arithmetic {

    private static final Verdict INVALID = new Verdict.Invalid();
    private static final Verdict BUSY = new Verdict.Busy();
    private static final Verdict OVER_BUDGET = new Verdict.OverBudget();

    private final TokenVerifier verifier;
    private final Overdraft overdraft;
    private final Workers workers;

    Arithmetic(TokenVerifier verifier, Overdraft overdraft, Workers workers) {
        this.verifier = verifier;
        this.overdraft = overdraft;
        this.workers = workers;
    }

    /** @param patient whether the exchange may wait for spare time */
    void judge(Exchange exchange, Candidate candidate, boolean patient, Consumer<Verdict> told) {
        if (overdraft.covered(exchange)) {
            check(exchange, candidate, good -> overdraft.verified(exchange, good), told);
        } else if (patient) {
            overdraft.defer(
                    exchange,
                    () -> check(exchange, candidate, good -> overdraft.verifiedInSpareTime(exchange, good), told),
                    () -> tell(exchange, OVER_BUDGET, told));
        } else {
            told.accept(OVER_BUDGET);
        }
    }

    private void check(Exchange exchange, Candidate candidate, Consumer<Boolean> outcome, Consumer<Verdict> told) {
        SignatureCheck check = verifier.check(candidate, exchange.loop());
        if (!check.costly()) {
            settle(exchange, candidate, check.accepts(candidate.token()), outcome, told);
            return;
        }
        boolean taken = workers.offer(() -> check.accepts(candidate.token()), exchange.loop(), answer -> {
            if (answer == Workers.Answer.GIVEN_UP) {
                tell(exchange, BUSY, told);
            } else {
                settle(exchange, candidate, answer == Workers.Answer.ACCEPTED, outcome, told);
            }
        });
        if (!taken) {
            told.accept(BUSY);
        }
    }

    private static void settle(
            Exchange exchange, Candidate candidate, boolean good, Consumer<Boolean> outcome, Consumer<Verdict> told) {
        outcome.accept(good);
        tell(exchange, good ? candidate.good() : INVALID, told);
    }

    private static void tell(Exchange exchange, Verdict verdict, Consumer<Verdict> told) {
        if (!exchange.ended()) {
            told.accept(verdict);
        }
    }
}
