package dev.postern.core.http2.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.Trailers;
import org.jspecify.annotations.Nullable;

/**
 * Header block of one field section as HPACK decodes it (RFC 9113 sections 8.2 and 8.3): checks each field and writes it into the head as
 * an HTTP/1.1 field line, which can be forwarded as it is. Used by one connection at a time.
 */
public abstract class HeaderBlock {

    /** Size that each field adds to its bytes (RFC 9113 section 6.5.2). */
    private static final int OVERHEAD = 32;

    private static final long LEAST_BOMB = 256 * 1024;
    private static final long BOMB = 4;

    private final HeadLimits limits;
    private final boolean teAllowed;
    private Head head;
    private long size;
    private boolean regular;
    private @Nullable String malformed;

    /**
     * @param limits of a field section
     * @param teAllowed whether TE with the value "trailers" is allowed (RFC 9113 section 8.2.2)
     */
    public HeaderBlock(HeadLimits limits, boolean teAllowed, Head first) {
        this.limits = limits;
        this.teAllowed = teAllowed;
        this.head = first;
    }

    /** Returns the head for the next field section. */
    protected abstract Head next();

    /** Handles a pseudo-header. Returns the error, or null. */
    protected abstract @Nullable String pseudo(String name, byte[] value, int offset, int length);

    /** Returns whether the field section contains a pseudo-header, which trailers must not. */
    public abstract boolean hasPseudo();

    /** Returns the status of a response as received, or null. */
    @Nullable
    protected CharSequence statusText() {
        return null;
    }

    /** Prepares for the next field section. */
    void begin() {
        head = next();
        head.reset();
        size = 0;
        regular = false;
        malformed = null;
    }

    /** Handles the next field. */
    void field(byte[] name, int nameAt, int nameLength, byte[] value, int valueAt, int valueLength) {
        size += nameLength + valueLength + OVERHEAD;
        if (tooLarge() || malformed != null) {
            return; // HPACK's dynamic table must be kept up to date, but the head is not used
        }
        if (nameLength > 0 && name[nameAt] == ':') {
            malformed = regular
                    ? "pseudo-header after a field"
                    : pseudo(new String(name, nameAt, nameLength, ISO_8859_1), value, valueAt, valueLength);
        } else {
            regular = true;
            regular(name, nameAt, nameLength, value, valueAt, valueLength);
        }
    }

    /** Returns whether the field section expands to an abusive size: one byte can repeat a field of kilobytes (RFC 7541 section 7.3). */
    boolean bomb() {
        return size > Math.max(LEAST_BOMB, BOMB * limits.bytes());
    }

    private void regular(byte[] name, int nameAt, int nameLength, byte[] value, int valueAt, int valueLength) {
        int offset = head.reserve(nameLength + valueLength + 4);
        byte[] bytes = head.bytes();
        int hash = 0;
        boolean good = nameLength > 0;
        for (int i = 0; i < nameLength; i++) {
            byte b = name[nameAt + i];
            good &= HttpChars.token(b) && (b < 'A' || b > 'Z');
            hash = 31 * hash + (b | 0x20);
            bytes[offset + i] = b;
        }
        int valueStart = offset + nameLength + 2;
        int valueEnd = valueStart + valueLength;
        bytes[valueStart - 2] = ':';
        bytes[valueStart - 1] = ' ';
        for (int i = 0; i < valueLength; i++) {
            byte b = value[valueAt + i];
            good &= HttpChars.value(b);
            bytes[valueStart + i] = b;
        }
        bytes[valueEnd] = '\r';
        bytes[valueEnd + 1] = '\n';
        if (!good) {
            malformed = "character in a field";
        } else if (valueLength > 0 && (blank(bytes[valueStart]) || blank(bytes[valueEnd - 1]))) {
            malformed = "blank around a value";
        } else {
            head.field(offset, offset + nameLength, valueStart, valueEnd, hash);
            ofConnection(head.fields() - 1);
        }
    }

    private void ofConnection(int index) {
        if (Http2FieldNames.ofConnection(head, index)) {
            malformed = "field of a connection";
        }
        if (head.named(index, FieldName.TE)
                && !(teAllowed && head.valueAt(index).equalsIgnoreCase("trailers"))) {
            malformed = "te";
        }
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }

    public boolean tooLarge() {
        return size > limits.bytes() || head.fields() > limits.fields();
    }

    /** Returns the error of the first malformed field, or null. */
    @Nullable
    public String malformed() {
        return malformed;
    }

    /** Returns a copy of the fields as trailers; expects a field section without pseudo-headers. */
    public Trailers trailers() {
        Trailers copy = new Trailers();
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i)) {
                copy.add(FieldName.of(head.nameAt(i)), head.valueAt(i));
            }
        }
        return copy;
    }
}
