package dev.postern.load.origin;

/**
 * Counters of an origin for one crowd.
 *
 * @param served requests, without those that don't count
 * @param wholePages pages of which all parts were served
 * @param halfPages pages of which at least one part was served and one was not
 */
public record Counters(long served, int wholePages, int halfPages) {
    /** Returns the numbers as words of a line. */
    String line() {
        return served + " " + wholePages + " " + halfPages + "\n";
    }

    /** @param line as {@link #line} writes it */
    static Counters parse(String line) {
        String[] words = line.strip().split(" ");
        if (words.length != 3) {
            throw new IllegalArgumentException(
                    "counters: " + line + " (expected: served requests, whole pages, half pages)");
        }
        return new Counters(Long.parseLong(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    }
}
