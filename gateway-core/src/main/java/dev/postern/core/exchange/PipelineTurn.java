package dev.postern.core.exchange;

/**
 * Pipeline turn: the place of an exchange among those of its connection, which determines when the exchange may be forwarded.
 * {@code http1.PipeliningQueue} contains the rule.
 */
public interface PipelineTurn {

    /** Turn of an exchange without predecessors, as every HTTP/2 stream. */
    PipelineTurn NOW = new PipelineTurn() {

        @Override
        public boolean takeNow() {
            return true;
        }

        @Override
        public void whenReached(Runnable next) {
            next.run();
        }
    };

    /** Returns whether this exchange may be forwarded at once; if so, the turn is taken and the exchange must be forwarded. */
    boolean takeNow();

    /** Runs {@code next} when this exchange may be forwarded: at once, later, or never when the exchange ends before. */
    void whenReached(Runnable next);
}
