package dev.postern.core.spi;

/** Stage of a user: lets each exchange pass, refuses the exchange, or decides later. */
public interface Stage extends Extension {

    /** Position of the stage in the pipeline. */
    enum Position {
        /** After <i>match</i>: the route is known, and no token has been requested yet. */
        MATCHED,
        /** After <i>admit</i>: the client is admitted, but no token is spent. A refusal here costs no token. */
        ADMITTED
    }

    default Position position() {
        return Position.ADMITTED;
    }

    /** Decides about an exchange: at once, or by {@link Decision#later}. */
    Decision decide(Request request);
}
