package dev.postern.core.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a {@link Stage} makes of an exchange: it passes, is refused, or is decided later. Immutable. */
public final class Decision {

    private static final Decision PASS = new Decision(null, null);

    private final @Nullable Refused refused;
    private final @Nullable Later later;

    private Decision(@Nullable Refused refused, @Nullable Later later) {
        this.refused = refused;
        this.later = later;
    }

    /**
     * Why an exchange goes no further.
     *
     * @param status 400 to 599
     * @param code what scripts, log and metrics know it by: kebab-case, and one of few
     * @param detail what happened and what to do, for people
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
     * A decision that is still to come.
     *
     * @param most after so long it counts as failed
     */
    public record Later(CompletionStage<Decision> decision, Duration most) {

        public Later {
            if (most.isNegative() || most.isZero()) {
                throw new IllegalArgumentException("most: " + most + " (expected: longer than nothing)");
            }
        }
    }

    /** It goes on. */
    public static Decision pass() {
        return PASS;
    }

    /** It is answered by the gateway, as problem+json or as a page. */
    public static Decision refuse(int status, String code, String detail) {
        return new Decision(new Refused(status, code, detail), null);
    }

    /** Somebody else has to be asked, who must answer within that time. */
    public static Decision later(CompletionStage<Decision> decision, Duration most) {
        return new Decision(null, new Later(decision, most));
    }

    /** Null when it is not refused. */
    public @Nullable Refused refused() {
        return refused;
    }

    /** Null when it is decided now. */
    public @Nullable Later later() {
        return later;
    }
}
