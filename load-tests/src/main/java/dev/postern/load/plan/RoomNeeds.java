package dev.postern.load.plan;

/** Room that {@code WaitingRoom} needs: one that lets visitors queue, and ends the session of each soon after its page. */
public final class RoomNeeds {
    private RoomNeeds() {}

    /**
     * Returns the rate limit of the room, as an element of {@code rate-limits}.
     *
     * @param active sessions at once
     */
    public static String rateLimit(int active) {
        return "{name: queue, rate: 1/h, burst: 0, fair-queue: {active-sessions: " + active
                + ", idle: 2s, tickets-per-address: 100%}}";
    }

    /** Returns the lines that the simulation prints at its start. */
    public static String lines(Settings settings) {
        return "  The route of " + settings.text(Parameter.PATH)
                + " needs token: off and this rate-limit, or one like it:\n  "
                + rateLimit(settings.number(Parameter.ACTIVE)) + "\n"
                + "  active-sessions is -Dactive; a rate that admits all visitors makes no queue; a session that ends late keeps its\n"
                + "  slot; and all visitors come from one address, whose share of the places is tickets-per-address.\n";
    }
}
