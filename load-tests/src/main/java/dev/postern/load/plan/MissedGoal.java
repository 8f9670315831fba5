package dev.postern.load.plan;

/** Goal that a simulation missed: found and expected values in one line, without a stack trace, which would say nothing of the gateway. */
public final class MissedGoal extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MissedGoal(String message) {
        super("MISSED: " + message, null, false, false);
    }
}
