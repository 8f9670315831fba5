package dev.postern.ratelimit.store;

/**
 * Session count, as operators write it: a number, or {@code auto} for a measured limit.
 *
 * @param count 0 for {@code auto}
 */
public record SessionCount(int count) {

    public static final String EXPECTED = "1..1000000, or auto";

    private static final String AUTO = "auto";
    private static final String NUMBER = "[1-9][0-9]{0,5}|1000000";

    /** Pattern for editors, in the JSON schema. */
    public static final String PATTERN = NUMBER + "|" + AUTO;

    public static SessionCount of(String text) {
        if (text.equals(AUTO)) {
            return new SessionCount(0);
        }
        if (!text.matches(NUMBER)) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new SessionCount(Integer.parseInt(text));
    }

    public boolean auto() {
        return count == 0;
    }

    @Override
    public String toString() {
        return auto() ? AUTO : Integer.toString(count);
    }
}
