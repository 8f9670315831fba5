package dev.postern.load.measure;

import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Progress lines on standard error, so that standard output holds the result alone. */
public final class Progress {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private Progress() {}

    /** Says a formatted line. */
    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency of its own.
    public static void say(String format, Object... values) {
        say(format.formatted(values));
    }

    public static void say(String line) {
        System.err.println(LocalTime.now().format(CLOCK) + "  " + line);
    }

    /** Returns the first line of the message of a problem. */
    public static String firstLine(Throwable problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
    }

    /** Ticker that prints a progress line every few seconds until it is closed. */
    public static final class Ticker implements AutoCloseable {
        private static final long SECONDS = 5;

        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

        public Ticker(Supplier<String> line) {
            timer.scheduleAtFixedRate(() -> Progress.say("  " + line.get()), SECONDS, SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            timer.shutdownNow();
        }
    }
}
