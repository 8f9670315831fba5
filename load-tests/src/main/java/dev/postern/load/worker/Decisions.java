package dev.postern.load.worker;

/**
 * Decisions of a turn of visits to waiting rooms.
 *
 * @param count visits that were decided
 * @param trips questions that went over a connection, each of one decision or of many; 0 for a room in the worker's own
 *     memory
 * @param cost of one decision to the process that asked
 */
public record Decisions(long count, long trips, Cost cost) {
    /** Returns the line of the worker's response. */
    String line() {
        return count + " " + trips + " " + cost.line();
    }

    /** Reads {@link #line()}. */
    public static Decisions parse(String line) {
        String[] words = line.split(" ", 3);
        if (words.length != 3) {
            throw new IllegalArgumentException(line + " (expected: five numbers)");
        }
        return new Decisions(Long.parseLong(words[0]), Long.parseLong(words[1]), Cost.parse(words[2]));
    }

    /** Returns the average number of decisions in one question. */
    public double perTrip() {
        return (double) count / trips;
    }
}
