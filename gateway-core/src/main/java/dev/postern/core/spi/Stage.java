package dev.postern.core.spi;

/** A stage of one's own, at which each exchange passes, is refused, or waits. */
public interface Stage extends Extension {

    /** Where on its way an exchange comes by. */
    enum Place {
        /** Behind <i>match</i>: the route is known, nobody was asked for a token. */
        MATCHED,
        /** Behind <i>admit</i>: who may pass and when is decided, but nothing is spent. What is refused here costs no token. */
        ADMITTED
    }

    default Place place() {
        return Place.ADMITTED;
    }

    /** Decides what becomes of an exchange; at once, or by {@link Decision#later}. */
    Decision decide(Request request);
}
