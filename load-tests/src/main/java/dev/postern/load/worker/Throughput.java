package dev.postern.load.worker;

/**
 * Throughput of flows that sent messages for some time.
 *
 * @param messages that came back
 * @param outOfOrder those of them that came behind a later one of the same flow, twice, or altered
 * @param missing messages that did not come back
 */
public record Throughput(long messages, double seconds, long outOfOrder, long missing) {
    public double perSecond() {
        return messages / seconds;
    }

    /** Returns the line of the worker's response. */
    String line() {
        return messages + " " + seconds + " " + outOfOrder + " " + missing;
    }

    /** Reads {@link #line()}. */
    public static Throughput parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 4) {
            throw new IllegalArgumentException(line + " (expected: four numbers)");
        }
        return new Throughput(
                Long.parseLong(words[0]),
                Double.parseDouble(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]));
    }
}
