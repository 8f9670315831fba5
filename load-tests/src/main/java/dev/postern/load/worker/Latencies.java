package dev.postern.load.worker;

/**
 * Latencies of a driver's calls, in microseconds: from when calls were due, and from when they were sent.
 *
 * @param failed calls with another response than the expected one, or none
 */
public record Latencies(int calls, int failed, double dueP50, double dueP99, double sentP50, double sentP99) {
    /** Returns the line of the worker's response. */
    String line() {
        return calls + " " + failed + " " + dueP50 + " " + dueP99 + " " + sentP50 + " " + sentP99;
    }

    /** Reads {@link #line()}. */
    public static Latencies parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 6) {
            throw new IllegalArgumentException(line + " (expected: six numbers)");
        }
        return new Latencies(
                Integer.parseInt(words[0]),
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Double.parseDouble(words[4]),
                Double.parseDouble(words[5]));
    }
}
