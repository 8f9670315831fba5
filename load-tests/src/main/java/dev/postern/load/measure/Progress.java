package dev.postern.load.measure;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** Progress lines on standard error, so that standard output holds the result alone. */
public final class Progress {
    private Progress() {}

    public static void say(String line) {
        System.err.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + "  " + line);
    }
}
