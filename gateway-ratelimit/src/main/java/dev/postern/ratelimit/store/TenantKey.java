package dev.postern.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * Key that tells the tenants of a room apart, as operators write it: {@code none}, or a {@link RateKey}.
 *
 * @param key null for {@code none}
 */
public record TenantKey(@Nullable RateKey key) {

    public static final TenantKey NONE = new TenantKey(null);

    public static final String EXPECTED = "none | host | route | client-address | header:NAME | cookie:NAME";

    private static final String NONE_TEXT = "none";

    /** Parses a key; the message of the {@link IllegalArgumentException} says what was expected. */
    public static TenantKey of(String text) {
        if (text.equals(NONE_TEXT)) {
            return NONE;
        }
        try {
            return new TenantKey(RateKey.of(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    @Override
    public String toString() {
        return key == null ? NONE_TEXT : key.toString();
    }
}
