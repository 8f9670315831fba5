package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Head that keeps a field section as the bytes in which the section arrived: names and values are positions in one array and become Strings
 * only when a rule reads them (RFC 9110 section 5).
 *
 * <p>Fields can be removed and appended, never changed in place. Values are ISO-8859-1, without surrounding white space. Confined to the
 * event loop of its exchange.
 */
public abstract sealed class Head permits RequestHead, ResponseHead, Trailers {

    private static final int SPAN = 5;
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 1;
    private static final int VALUE = 2;
    private static final int VALUE_LENGTH = 3;
    private static final int HASH = 4;
    private static final int REMOVED = -1;

    /** Space behind the first bytes, for the fields that the gateway adds. */
    private static final int MORE = 256;

    private static final byte[] NOTHING = {};

    private final int least;
    private byte[] bytes = NOTHING;
    private int length;
    private int[] spans;
    private int count;
    private boolean trimmed;
    /** One bit for each hash of a field that was added: most names that the rules look up are in no head. */
    private long present;

    /** @param least bytes to allocate at least, as soon as there are any */
    Head(int least, int fields) {
        this.least = least;
        this.spans = new int[fields * SPAN];
    }

    /** Frees spare space, because the head will be kept for long and hardly change; it is not to be reused for another one. */
    public final void trim() {
        bytes = Arrays.copyOf(bytes, length);
        spans = Arrays.copyOf(spans, count * SPAN);
        trimmed = true;
    }

    /** Returns whether the head has no spare space. */
    public final boolean trimmed() {
        return trimmed;
    }

    /** Empties the head for the next use. */
    public void reset() {
        length = 0;
        count = 0;
        present = 0;
    }

    /** Reserves space for the next {@code n} raw bytes, and returns the position in {@link #bytes()} where to write them. */
    public final int reserve(int n) {
        int offset = length;
        if (offset + n > bytes.length) {
            bytes = bytes.length == 0
                    ? new byte[Math.max(least, n + MORE)]
                    : Arrays.copyOf(bytes, Math.max(bytes.length * 2, offset + n));
        }
        length = offset + n;
        return offset;
    }

    /** Returns the array that all positions of this head point into; replaced when the head grows. */
    public final byte[] bytes() {
        return bytes;
    }

    /** Adds a field by positions in {@link #bytes()}; {@code hash} is {@link FieldName#hash} of the name. */
    public final void field(int nameStart, int nameEnd, int valueStart, int valueEnd, int hash) {
        int offset = count * SPAN;
        if (offset == spans.length) {
            spans = Arrays.copyOf(spans, Math.max(SPAN, spans.length * 2));
        }
        spans[offset + NAME] = nameStart;
        spans[offset + NAME_LENGTH] = nameEnd - nameStart;
        spans[offset + VALUE] = valueStart;
        spans[offset + VALUE_LENGTH] = valueEnd - valueStart;
        spans[offset + HASH] = hash;
        present |= 1L << hash;
        count++;
    }

    /** Appends a field; the value must contain no control characters. */
    public final void add(FieldName name, CharSequence value) {
        int size = Field.size(name, value);
        int offset = reserve(size);
        Field.write(name, value, bytes, offset);
        line(name, offset, size);
    }

    /** Appends a field that is already encoded. */
    public final void add(Field field) {
        byte[] line = field.line();
        int offset = reserve(line.length);
        System.arraycopy(line, 0, bytes, offset, line.length);
        line(field.name(), offset, line.length);
    }

    private void line(FieldName name, int offset, int size) {
        int valueAt = offset + Field.valueAt(name);
        field(offset, offset + name.bytes().length, valueAt, offset + size - 2, name.hash());
    }

    /**
     * Returns whether the bytes of the field at that index are exactly {@code name: value} and a line end, so that a writer may copy the
     * field, and adjacent fields of the same kind, in one piece.
     */
    public final boolean verbatim(int index) {
        int nameEnd = nameStart(index) + nameLength(index);
        int valueStart = valueStart(index);
        int valueEnd = valueStart + valueLength(index);
        return valueStart == nameEnd + 2
                && bytes[nameEnd + 1] == ' '
                && valueEnd + 1 < length
                && bytes[valueEnd] == '\r'
                && bytes[valueEnd + 1] == '\n';
    }

    /** Replaces all fields of that name with one field. */
    public final void set(FieldName name, CharSequence value) {
        remove(name);
        add(name, value);
    }

    /** Removes all fields of that name. */
    public final void remove(FieldName name) {
        for (int i = next(name, 0); i >= 0; i = next(name, i + 1)) {
            removeAt(i);
        }
    }

    /** Removes the field at that index; the other indices stay unchanged. */
    public final void removeAt(int index) {
        spans[index * SPAN + NAME_LENGTH] = REMOVED;
    }

    /** Returns the number of indices, those of removed fields included. */
    public final int fields() {
        return count;
    }

    public final boolean present(int index) {
        return spans[index * SPAN + NAME_LENGTH] != REMOVED;
    }

    /** Returns the index of the first field of that name at or after {@code from}, or -1. */
    public final int next(FieldName name, int from) {
        int hash = name.hash();
        if ((present & 1L << hash) == 0) {
            return -1;
        }
        for (int i = from; i < count; i++) {
            int offset = i * SPAN;
            if (spans[offset + HASH] == hash
                    && spans[offset + NAME_LENGTH] != REMOVED
                    && name.matches(bytes, spans[offset + NAME], spans[offset + NAME_LENGTH])) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the index of the first field at or after {@code from} whose name is in {@code names}, or -1. */
    public final int next(LookAlikeNames names, int from) {
        for (int i = from; i < count; i++) {
            int offset = i * SPAN;
            int nameLength = spans[offset + NAME_LENGTH];
            if (nameLength != REMOVED && names.contains(bytes, spans[offset + NAME], nameLength)) {
                return i;
            }
        }
        return -1;
    }

    public final boolean has(FieldName name) {
        return next(name, 0) >= 0;
    }

    /** Returns the number of fields of that name. */
    public final int occurrences(FieldName name) {
        int n = 0;
        for (int i = next(name, 0); i >= 0; i = next(name, i + 1)) {
            n++;
        }
        return n;
    }

    /** Returns the value of the first field of that name, or null. */
    public final @Nullable String value(FieldName name) {
        int index = next(name, 0);
        return index < 0 ? null : valueAt(index);
    }

    /** Returns all values of that name joined by commas (RFC 9110 section 5.3), or null; not for Set-Cookie or credentials. */
    public final @Nullable String joined(FieldName name) {
        int index = next(name, 0);
        if (index < 0) {
            return null;
        }
        String first = valueAt(index);
        int more = next(name, index + 1);
        if (more < 0) {
            return first;
        }
        StringBuilder joined = new StringBuilder(first);
        for (; more >= 0; more = next(name, more + 1)) {
            joined.append(", ").append(valueAt(more));
        }
        return joined.toString();
    }

    /** Returns whether the value at that index equals this word, in any case. */
    public final boolean valueIs(int index, FieldName word) {
        return word.matches(bytes, valueStart(index), valueLength(index));
    }

    /** Returns whether the value at that index begins with this word, in any case. */
    public final boolean valueBegins(int index, FieldName word) {
        int n = word.bytes().length;
        return n <= valueLength(index) && word.matches(bytes, valueStart(index), n);
    }

    /** Returns whether a field of that name lists this word between commas, in any case (RFC 9110 section 5.6.1). */
    public final boolean lists(FieldName name, FieldName word) {
        for (int i = next(name, 0); i >= 0; i = next(name, i + 1)) {
            if (listedAt(i, word)) {
                return true;
            }
        }
        return false;
    }

    private boolean listedAt(int index, FieldName word) {
        int end = valueStart(index) + valueLength(index);
        int start = valueStart(index);
        for (int i = start; i <= end; i++) {
            if (i == end || bytes[i] == ',') {
                if (wordBetween(start, i, word)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    /** Returns whether the value at that index contains that word anywhere, in any case. */
    public final boolean mentions(int index, FieldName word) {
        int length = word.bytes().length;
        int last = valueStart(index) + valueLength(index) - length;
        for (int i = valueStart(index); i <= last; i++) {
            if (word.matches(bytes, i, length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of commas in the value at that index. */
    public final int commas(int index) {
        int commas = 0;
        int end = valueStart(index) + valueLength(index);
        for (int i = valueStart(index); i < end; i++) {
            commas += bytes[i] == ',' ? 1 : 0;
        }
        return commas;
    }

    private boolean wordBetween(int start, int end, FieldName word) {
        int from = start;
        int limit = end;
        while (from < limit && bytes[from] <= ' ' && bytes[from] >= 0) {
            from++;
        }
        while (limit > from && bytes[limit - 1] <= ' ' && bytes[limit - 1] >= 0) {
            limit--;
        }
        return word.matches(bytes, from, limit - from);
    }

    public final String nameAt(int index) {
        return new String(bytes, nameStart(index), nameLength(index), ISO_8859_1);
    }

    public final String valueAt(int index) {
        return new String(bytes, valueStart(index), valueLength(index), ISO_8859_1);
    }

    /** Returns whether the field at that index has that name; false for a removed field. */
    public final boolean named(int index, FieldName name) {
        int offset = index * SPAN;
        return spans[offset + HASH] == name.hash()
                && name.matches(bytes, spans[offset + NAME], spans[offset + NAME_LENGTH]);
    }

    public final int nameStart(int index) {
        return spans[index * SPAN + NAME];
    }

    public final int nameLength(int index) {
        return spans[index * SPAN + NAME_LENGTH];
    }

    public final int valueStart(int index) {
        return spans[index * SPAN + VALUE];
    }

    public final int valueLength(int index) {
        return spans[index * SPAN + VALUE_LENGTH];
    }

    /** Returns {@link FieldName#hash} of the name at that index: a cheap first test before {@link #named}. */
    public final int hashAt(int index) {
        return spans[index * SPAN + HASH];
    }

    /** Returns an upper bound for the bytes of start line and fields when written out. */
    public final int size() {
        return length + count * 4 + 16;
    }

    final String text(int start, int end) {
        return new String(bytes, start, end - start, ISO_8859_1);
    }
}
