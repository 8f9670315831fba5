package dev.postern.load.plan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Goal that a simulation checks after its run, and missed: one line in its output and a row in the table of the run. An exception would end Gatling
 * before its report, with two stack traces.
 *
 * @param found the figures
 * @param expected what they should be
 */
public record MissedGoal(String found, String expected) {
    /** System property with the file that hands missed goals to the run. */
    public static final String FILE = "postern.missed-goals";

    private static final String BETWEEN = "\t";

    /** Prints this goal, and hands it to the run. */
    public void report() {
        System.out.println("MISSED: " + found + " (expected: " + expected + ")");
        String file = System.getProperty(FILE);
        if (file == null) {
            throw new IllegalStateException(FILE + ": not set (expected: by load-tests/run)");
        }
        try {
            Files.writeString(
                    Path.of(file),
                    found + BETWEEN + expected + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }

    /** Returns the goals of a file; none without a file. */
    public static List<MissedGoal> read(Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> line.split(BETWEEN, 2))
                    .map(cells -> new MissedGoal(cells[0], cells[1]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
