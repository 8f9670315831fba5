package dev.postern.auth.handler;

import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.VerificationResult;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Meters of every verification: the time by token type and result. Thread-safe. */
public final class VerifyMeters {

    static final String OVER_BUDGET = Result.OVER_BUDGET.label;

    private static final int RESULTS = Result.values().length;

    private final List<TokenType> types =
            TokenScheme.all().stream().map(TokenScheme::type).toList();
    private final StripedHistogram histogram = new StripedHistogram(
            Meters.TOKEN_VERIFY,
            types.stream()
                    .flatMap(type -> Arrays.stream(Result.values())
                            .map(result -> List.of(Integer.toString(type.value()), result.label)))
                    .toList());

    /** Result of a verification as in log and meters; not sent to the client. */
    private enum Result {
        GOOD,
        LAPSED,
        INVALID,
        WRONG_CHALLENGE,
        UNKNOWN_KEY,
        NO_KEYS,
        SPENT,
        OVER_BUDGET,
        BUSY;

        private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

        static Result of(VerificationResult verificationResult) {
            if (verificationResult instanceof VerificationResult.Good good) {
                return good.lapsed() ? LAPSED : GOOD;
            } else if (verificationResult instanceof VerificationResult.WrongChallenge) {
                return WRONG_CHALLENGE;
            } else if (verificationResult instanceof VerificationResult.UnknownKey) {
                return UNKNOWN_KEY;
            } else if (verificationResult instanceof VerificationResult.NoKeys) {
                return NO_KEYS;
            } else if (verificationResult instanceof VerificationResult.Spent) {
                return SPENT;
            } else if (verificationResult instanceof VerificationResult.OverBudget) {
                return OVER_BUDGET;
            } else if (verificationResult instanceof VerificationResult.Busy) {
                return BUSY;
            }
            return INVALID;
        }
    }

    /** Records the verification of the exchange's token; called on its event loop. */
    public void record(Exchange exchange, TokenType type, VerificationResult verificationResult, long nanos) {
        int index =
                types.indexOf(type) * RESULTS + Result.of(verificationResult).ordinal();
        histogram.on(exchange.loop()).record(index, nanos, Trace.of(exchange));
    }

    /** Returns the label for log and meters. */
    static String result(VerificationResult verificationResult) {
        return Result.of(verificationResult).label;
    }

    /** Returns the histogram of {@link Meters#TOKEN_VERIFY}. */
    public StripedHistogram histogram() {
        return histogram;
    }
}
