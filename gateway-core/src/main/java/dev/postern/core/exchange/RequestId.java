package dev.postern.core.exchange;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.LookAlikeNames;
import dev.postern.core.http.RequestHead;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Rule for the ids of exchanges of one listener: an id is the client's, if its field may be believed and has 1 to 128 characters of
 * {@code [A-Za-z0-9._:/+=@-]}, else a new UUID of version 7 (RFC 9562 section 5.7). So an id can be written into any log, page or document
 * as it is. Thread-safe.
 */
public final class RequestId {

    static final int LONGEST = 128;

    private static final String PUNCTUATION = "._:/+=@-";
    private static final long VERSION_7 = 0x7000;
    private static final int RANDOM_A = 0xfff;
    private static final int TIME_SHIFT = 16;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long RANDOM_B = 0x3fff_ffff_ffff_ffffL;

    private final RequestIdSettings settings;
    private final FieldName name;
    private final LookAlikeNames spellings;

    public RequestId(RequestIdSettings settings) {
        this.settings = settings;
        this.name = FieldName.of(settings.field());
        this.spellings = LookAlikeNames.of(List.of(settings.field()));
    }

    /**
     * Returns the field with the id of a request.
     *
     * @param trusted whether a trusted proxy sent the request
     * @param millis since 1970, for a new id
     */
    public Field of(RequestHead request, boolean trusted, long millis) {
        @Nullable String received = accepts(trusted) ? received(request) : null;
        return Field.of(name, received == null ? create(millis) : received);
    }

    private boolean accepts(boolean trusted) {
        return switch (settings.accept()) {
            case TRUSTED -> trusted;
            case ALL -> true;
            case NONE -> false;
        };
    }

    private @Nullable String received(RequestHead request) {
        if (request.occurrences(name) != 1) {
            return null; // with several, the client, its proxy and the upstream could each mean another
        }
        String value = request.valueAt(request.next(name, 0));
        return wellFormed(value) ? value : null;
    }

    private static boolean wellFormed(String value) {
        if (value.isEmpty() || value.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (!allowed(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean allowed(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || PUNCTUATION.indexOf(c) >= 0;
    }

    private static String create(long millis) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(
                        millis << TIME_SHIFT | VERSION_7 | random.nextInt() & RANDOM_A,
                        VARIANT | random.nextLong() & RANDOM_B)
                .toString();
    }

    /** Replaces what the request has in this field. */
    public void replace(RequestHead request, Field id) {
        remove(request);
        request.add(id);
    }

    /** Removes the field, in any spelling that an upstream may read as the field. */
    public void remove(Head head) {
        for (int i = head.next(spellings, 0); i >= 0; i = head.next(spellings, i + 1)) {
            head.removeAt(i);
        }
    }

    /** Rules with the same settings are equal, so that a reload keeps a listener whose settings are unchanged. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestId rule && settings.equals(rule.settings);
    }

    @Override
    public int hashCode() {
        return settings.hashCode();
    }
}
