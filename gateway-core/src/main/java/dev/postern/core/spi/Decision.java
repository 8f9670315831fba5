package dev.postern.core.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Decision of a {@link Stage} about an exchange: passes, is refused, or is decided later. Immutable. */
public final class Decision {

    private static final Decision PASS = new Decision(null, null);

    private final @Nullable Refused refused;
    private final @Nullable Later later;

    private Decision(@Nullable Refused refused, @Nullable Later later) {
        this.refused = refused;
        this.later = later;
    }

    /**
     * Refusal of an exchange.
     *
     * @param status 400 to 599
     * @param code kebab-case code for scripts, log and metrics; one of a small set
     * @param detail cause and remedy, as text for people
     */
    public record Refused(int status, String code, String detail) {

        public Refused {
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("status: " + status + " (expected: 400..599)");
            }
            if (!code.matches("[a-z][a-z0-9-]{0,39}")) {
                throw new IllegalArgumentException("code: " + code + " (expected: up to 40 of a-z, 0-9 and dashes)");
            }
        }
    }

    /**
     * Decision that is still pending.
     *
     * @param timeout time after which the stage counts as failed
     */
    public record Later(CompletionStage<Decision> decision, Duration timeout) {

        public Later {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("timeout: " + timeout + " (expected: longer than nothing)");
            }
        }
    }

    /** Returns the decision that the exchange goes on. */
    public static Decision pass() {
        return PASS;
    }

    /** Returns the decision that the gateway refuses the exchange, with problem+json or a page. */
    public static Decision refuse(int status, String code, String detail) {
        return new Decision(new Refused(status, code, detail), null);
    }

    /** Returns a decision that is made later, within {@code timeout}, for example after a call to another server. */
    public static Decision later(CompletionStage<Decision> decision, Duration timeout) {
        return new Decision(null, new Later(decision, timeout));
    }

    /** Returns the refusal, or null when the exchange is not refused. */
    public @Nullable Refused refused() {
        return refused;
    }

    /** Returns the pending decision, or null when the decision is made already. */
    public @Nullable Later later() {
        return later;
    }
}
