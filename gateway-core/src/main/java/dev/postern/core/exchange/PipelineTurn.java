package dev.postern.core.exchange;

/**
 * The place of an exchange among those of its connection: whether it may be forwarded yet. The rule stands in {@code http1.ArrivalOrder}.
 */
public interface PipelineTurn {

    /** The turn of an exchange that stands alone, as every HTTP/2 stream does. */
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

    /** Whether this exchange may be forwarded at once; if so it has taken its turn, and must be. */
    boolean takeNow();

    /** Runs {@code next} once this exchange may be forwarded: at once, later, or never when it ends before. */
    void whenReached(Runnable next);
}
