package dev.postern.load.measure;

import java.time.LocalTime;
import java.time.format.DateTimeFormatter;

/** Progress lines on standard error, so that standard output holds the result alone. */
public final class Progress {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private Progress() {}

    public static void say(String line) {
        System.err.println(LocalTime.now().format(CLOCK) + "  " + line);
    }
}
