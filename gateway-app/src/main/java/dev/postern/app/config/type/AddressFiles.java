package dev.postern.app.config.type;

import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Address files: lists of address ranges, one a line, that keys of the configuration name behind {@code @}. Text behind {@code #} or
 * {@code ;} is a comment, as in published lists. Reads the files each time.
 */
public final class AddressFiles {

    private static final int MOST = 1_000_000;

    private AddressFiles() {}

    /**
     * Returns the rule of two lists of ranges and files; null where both are empty. Throws {@link IllegalArgumentException} with file, line and
     * expectation.
     */
    public static @Nullable AddressRule rule(List<String> allow, List<String> deny) {
        return allow.isEmpty() && deny.isEmpty()
                ? null
                : new AddressRule(allow.isEmpty() ? null : CidrSet.of(ranges(allow)), CidrSet.of(ranges(deny)));
    }

    private static List<String> ranges(List<String> entries) {
        List<String> ranges = new ArrayList<>();
        for (String entry : entries) {
            if (entry.startsWith("@")) {
                ranges.addAll(read(Path.of(entry.substring(1))));
            } else {
                ranges.add(entry);
            }
        }
        return ranges;
    }

    /** Returns the ranges of a file. Throws {@link IllegalArgumentException} with file, line and expectation. */
    public static List<String> read(Path file) {
        List<String> ranges = new ArrayList<>();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            String text = line.split("[#;]", 2)[0].strip();
            if (text.isEmpty()) {
                continue;
            }
            if (!CidrSet.isRange(text)) {
                throw new IllegalArgumentException(file + ":" + number + ": " + shown(text)
                        + " (expected: an address range such as 10.0.0.0/8 or fd00::/8)");
            }
            ranges.add(text);
            if (ranges.size() > MOST) {
                throw new IllegalArgumentException(
                        file + ":" + number + ": more (expected: up to " + MOST + " ranges)");
            }
        }
        return ranges;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not UTF-8 (expected: text)", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " (expected: a file that can be read)", e);
        }
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "..." : text;
    }
}
