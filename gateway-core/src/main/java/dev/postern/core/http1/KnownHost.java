package dev.postern.core.http1;

import dev.postern.core.exchange.RequestHead;
import dev.postern.core.syntax.Authority;
import java.util.Arrays;

/** The Host that a connection named last: a client names the same one again and again, so it is read once. One per connection. */
final class KnownHost {

    private static final int LONGEST = 256;

    private byte[] text = {};
    private String authority = "";

    /** The value at that index as an authority; throws {@link dev.postern.core.syntax.Fault}. */
    String read(RequestHead head, int index) {
        int start = head.valueStart(index);
        int end = start + head.valueLength(index);
        if (Arrays.equals(text, 0, text.length, head.bytes(), start, end)) {
            return authority;
        }
        String read = Authority.parse(head.valueAt(index), true);
        if (end - start <= LONGEST) {
            text = Arrays.copyOfRange(head.bytes(), start, end);
            authority = read;
        }
        return read;
    }
}
