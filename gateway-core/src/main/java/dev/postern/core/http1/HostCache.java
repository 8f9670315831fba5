package dev.postern.core.http1;

import dev.postern.core.http.Authority;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.Arrays;

/**
 * Cache of the last Host value of a connection: a client sends the same value again and again, so it is parsed once. One per connection.
 */
final class HostCache {

    private static final int LONGEST = 256;

    private byte[] text = {};
    private String authority = "";
    private boolean spelledSo = true;

    /**
     * Returns the Host value at the index in canonical form, which replaces the value in the head; throws
     * {@link dev.postern.core.http.HttpParseException}.
     */
    String read(RequestHead head, int index) {
        int start = head.valueStart(index);
        int end = start + head.valueLength(index);
        if (Arrays.equals(text, 0, text.length, head.bytes(), start, end)) {
            return placed(head, authority, spelledSo);
        }
        String value = head.valueAt(index);
        String read = Authority.parse(value, true);
        boolean same = read.equals(value);
        if (end - start <= LONGEST) {
            text = Arrays.copyOfRange(head.bytes(), start, end);
            authority = read;
            spelledSo = same;
        }
        return placed(head, read, same);
    }

    private static String placed(RequestHead head, String read, boolean same) {
        if (!same) {
            head.set(FieldName.HOST, read);
        }
        return read;
    }
}
