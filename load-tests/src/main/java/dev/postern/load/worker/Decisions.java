package dev.postern.load.worker;

/**
 * What a turn of visits to rooms came to.
 *
 * @param count visits that were decided
 * @param trips questions that went over a connection for it, each of one decision or of many; 0 where nobody else is asked
 * @param cost of one decision to the process that asked
 */
public record Decisions(long count, long trips, Cost cost) {
    /** The line that a worker responses with. */
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

    /** Decisions in one question, on average. */
    public double perTrip() {
        return (double) count / trips;
    }
}
