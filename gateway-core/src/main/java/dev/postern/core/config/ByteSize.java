package dev.postern.core.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Size in bytes, as operators write it: {@code 512B}, {@code 16KiB}, {@code 1MiB}, {@code 2GiB}; plain {@code 0} needs no unit. */
public record ByteSize(long bytes) {

    /** Pattern for editors, in the JSON schema. */
    public static final String PATTERN = "(\\d{1,9})\\s*(B|KiB|MiB|GiB)";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");

    /** Parses a size; the message of the {@link IllegalArgumentException} says what was expected. */
    public static ByteSize of(String text) {
        if (text.equals("0")) {
            return new ByteSize(0);
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a size such as 512B, 16KiB, 1MiB or 2GiB");
        }
        return new ByteSize(Long.parseLong(matcher.group(1)) << 10 * UNITS.indexOf(matcher.group(2)));
    }

    /** Returns the size in the largest unit that needs no fraction. */
    @Override
    public String toString() {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / 10, UNITS.size() - 1);
        return bytes == 0 ? "0" : (bytes >> 10 * unit) + UNITS.get(unit);
    }
}
