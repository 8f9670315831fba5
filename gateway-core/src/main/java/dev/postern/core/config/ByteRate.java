package dev.postern.core.config;

/**
 * Rate in bytes per second, as operators write it: {@code 240B/s}, {@code 1KiB/s}; plain {@code 0} means none.
 */
public record ByteRate(long bytesPerSecond) {

    public static final String EXPECTED = "a rate such as 240B/s or 1KiB/s";

    private static final String PER_SECOND = "/s";

    public static ByteRate of(String text) {
        if (text.equals("0")) {
            return new ByteRate(0);
        }
        if (!text.endsWith(PER_SECOND)) {
            throw new IllegalArgumentException(EXPECTED);
        }
        try {
            String size = text.substring(0, text.length() - PER_SECOND.length()).strip();
            return new ByteRate(ByteSize.of(size).bytes());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }
}
