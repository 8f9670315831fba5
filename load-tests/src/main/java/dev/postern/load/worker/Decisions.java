package dev.postern.load.worker;

import dev.postern.load.measure.Cost;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Decisions of a turn of visits to waiting rooms.
 *
 * @param count visits that were decided
 * @param trips questions that went over a connection, each of one decision or of many; 0 for a room in the worker's own
 *     memory
 * @param cost of one decision to the process that asked
 */
public record Decisions(long count, long trips, Cost cost) {
    /**
     * Runs the work.
     *
     * @param work returns the number of decisions
     * @param trips by the number of decisions
     */
    static Decisions of(LongSupplier work, LongUnaryOperator trips) {
        long[] count = new long[1];
        Cost cost = Cost.of(() -> {
            count[0] = work.getAsLong();
            return count[0];
        });
        return new Decisions(count[0], trips.applyAsLong(count[0]), cost);
    }

    /** Returns the average number of decisions in one question. */
    public double perTrip() {
        return (double) count / trips;
    }
}
