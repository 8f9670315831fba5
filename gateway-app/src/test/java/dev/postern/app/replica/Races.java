package dev.postern.app.replica;

/** How many rounds there are. */
final class Races {

    /** {@code -Draces=10} makes ten times as many as usual. */
    static final int TIMES = Integer.getInteger("races", 1);

    static final int ROUNDS = 50 * TIMES;

    /** After a fault. */
    static final int HEALED_ROUNDS = 100 * TIMES;

    private Races() {}
}
