package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;

/** Field with any bytes in name and value, as a parser or a faulty stage may leave it in a head. */
public final class RawField {

    private RawField() {}

    /** Adds the field at the end of the head. */
    public static void add(Head head, String name, String value) {
        byte[] line = (name + ": " + value + "\r\n").getBytes(ISO_8859_1);
        int offset = head.reserve(line.length);
        System.arraycopy(line, 0, head.bytes(), offset, line.length);
        int nameEnd = offset + name.length();
        int hash = FieldName.hash(head.bytes(), offset, nameEnd);
        head.field(offset, nameEnd, nameEnd + 2, offset + line.length - 2, hash);
    }
}
