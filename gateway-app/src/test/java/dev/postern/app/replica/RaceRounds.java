package dev.postern.app.replica;

/** Numbers of rounds. */
final class RaceRounds {

    /** Factor of the numbers: {@code -Draces=10} runs ten times as many rounds. */
    static final int TIMES = Integer.getInteger("races", 1);

    static final int ROUNDS = 50 * TIMES;

    /** Rounds after a fault. */
    static final int HEALED_ROUNDS = 100 * TIMES;

    private RaceRounds() {}
}
