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

/** Times every verification by type and result. Thread-safe. */
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

    /** What came of a verification, as log and metrics say it; the client never reads it. */
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

    /** The token of that exchange was judged; on its loop. */
    public void record(Exchange exchange, TokenType type, VerificationResult verificationResult, long nanos) {
        int index =
                types.indexOf(type) * RESULTS + Result.of(verificationResult).ordinal();
        histogram.on(exchange.loop()).record(index, nanos, Trace.of(exchange));
    }

    /** The word for log and metrics. */
    static String result(VerificationResult verificationResult) {
        return Result.of(verificationResult).label;
    }

    /** {@link Meters#TOKEN_VERIFY}. */
    public StripedHistogram histogram() {
        return histogram;
    }
}
