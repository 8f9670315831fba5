package dev.postern.auth.handler;

import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.Verdict;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Times every verification by type and result. Thread-safe. */
final class VerifyMeters {

    static final String OVER_BUDGET = "over-budget";

    private final MeterRegistry registry;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    private record Key(int type, String result) {}

    VerifyMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void record(TokenType type, Verdict verdict, long nanos) {
        timers.computeIfAbsent(new Key(type.value(), result(verdict)), this::timer)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The word for log and metrics; the client never reads it. */
    static String result(Verdict verdict) {
        if (verdict instanceof Verdict.Good good) {
            return good.lapsed() ? "lapsed" : "good";
        } else if (verdict instanceof Verdict.WrongChallenge) {
            return "wrong-challenge";
        } else if (verdict instanceof Verdict.UnknownKey) {
            return "unknown-key";
        } else if (verdict instanceof Verdict.NoKeys) {
            return "no-keys";
        } else if (verdict instanceof Verdict.Spent) {
            return "spent";
        } else if (verdict instanceof Verdict.OverBudget) {
            return OVER_BUDGET;
        } else if (verdict instanceof Verdict.Busy) {
            return "busy";
        }
        return "invalid";
    }

    private Timer timer(Key key) {
        return Meters.TOKEN_VERIFY.timer(registry, Integer.toString(key.type()), key.result());
    }
}
