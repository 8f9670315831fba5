package dev.postern.core.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;

/** An input as lines of text, for targets that take several things at once. */
public final class Lines {

    private Lines() {}

    /** So many lines at most, the last one with all that follows; missing ones are empty. */
    public static List<String> of(byte[] input, int count) {
        String text = new String(input, ISO_8859_1);
        List<String> lines = new ArrayList<>(List.of(text.split("\n", count)));
        while (lines.size() < count) {
            lines.add("");
        }
        return lines;
    }
}
