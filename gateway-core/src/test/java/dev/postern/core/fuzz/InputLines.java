package dev.postern.core.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;

/** Splits an input into lines of text, for targets that take several values. */
public final class InputLines {

    private InputLines() {}

    /** Returns {@code count} lines: the last one contains the rest of the input; missing lines are empty. */
    public static List<String> of(byte[] input, int count) {
        String text = new String(input, ISO_8859_1);
        List<String> lines = new ArrayList<>(List.of(text.split("\n", count)));
        while (lines.size() < count) {
            lines.add("");
        }
        return lines;
    }
}
