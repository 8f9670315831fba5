package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Field as written in a head: {@code name: value} and a line end (RFC 9112 section 5). A field that goes into many heads is encoded once.
 * Immutable.
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

    /** Returns the whole line, not copied. */
    byte[] line() {
        return line;
    }

    /** Returns the length of the whole line in bytes. */
    static int size(FieldName name, CharSequence value) {
        return name.bytes().length + SEPARATOR + value.length() + LINE_END;
    }

    /** Returns the offset of the value in a line. */
    static int valueAt(FieldName name) {
        return name.bytes().length + SEPARATOR;
    }

    /** Writes the line to {@code bytes} from {@code offset} on. */
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
