package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A field as it stands in a head, {@code name: value} and a line end, so that one that goes into many heads is made once (RFC 9112 section
 * 5). Immutable.
 */
public final class Field {

    private static final int SEPARATOR = 2;
    private static final int LINE_END = 2;

    private final FieldName name;
    private final byte[] line;

    private Field(FieldName name, byte[] line) {
        this.name = name;
        this.line = line;
    }

    /** @param value ISO-8859-1 without control characters */
    public static Field of(FieldName name, CharSequence value) {
        byte[] line = new byte[size(name, value)];
        write(name, value, line, 0);
        return new Field(name, line);
    }

    public FieldName name() {
        return name;
    }

    public String value() {
        int start = valueAt(name);
        return new String(line, start, line.length - LINE_END - start, ISO_8859_1);
    }

    /** The whole line, not copied. */
    byte[] line() {
        return line;
    }

    /** Bytes of the whole line. */
    static int size(FieldName name, CharSequence value) {
        return name.bytes().length + SEPARATOR + value.length() + LINE_END;
    }

    /** Where the value begins in a line. */
    static int valueAt(FieldName name) {
        return name.bytes().length + SEPARATOR;
    }

    /** Writes the line to {@code bytes} from {@code at} on. */
    static void write(FieldName name, CharSequence value, byte[] bytes, int offset) {
        byte[] nameBytes = name.bytes();
        System.arraycopy(nameBytes, 0, bytes, offset, nameBytes.length);
        int next = offset + nameBytes.length;
        bytes[next++] = ':';
        bytes[next++] = ' ';
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
                throw new IllegalArgumentException(
                        name + ": U+" + Integer.toHexString(c) + " (expected: a visible character)");
            }
            bytes[next++] = (byte) c;
        }
        bytes[next] = '\r';
        bytes[next + 1] = '\n';
    }
}
