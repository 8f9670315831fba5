package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.StoreReply;
import net.spy.memcached.ops.OperationErrorType;
import net.spy.memcached.ops.OperationException;
import org.jspecify.annotations.Nullable;

/** Reply to a {@code gets} of one key: the raw bytes of the value, which are never deserialised, and the cas id. For one reply. */
final class GetsReply {

    /** {@code VALUE}, a key of 250 bytes, three numbers. */
    static final int LONGEST_LINE = 320;

    private static final int LONGEST_VALUE = 16 * 1024;
    private static final String VALUE = "VALUE ";

    private @Nullable Response response;
    private byte @Nullable [] value;
    private long cas;
    private int position;

    /**
     * Response of the server for the key.
     *
     * @param reply STORED: there is a value; NOT_STORED: there is none; otherwise unknown
     */
    record Response(StoreReply reply, byte @Nullable [] value, long cas) {

        /** Returns whether the server reported a value or that there is none. */
        boolean told() {
            return reply == StoreReply.STORED || reply == StoreReply.NOT_STORED;
        }
    }

    /**
     * Takes a line without its end.
     *
     * @return bytes of the value that follow, before the end of their line; -1 when none follow
     */
    int line(byte[] text, int length) throws OperationException {
        if (MemcachedCommand.is(text, length, "END")) {
            response = new Response(value == null ? StoreReply.NOT_STORED : StoreReply.STORED, value, cas);
            return -1;
        }
        if (MemcachedCommand.is(text, Math.min(length, 12), "SERVER_ERROR")) {
            response = new Response(StoreReply.REFUSED, null, 0);
            return -1;
        }
        // VALUE KEY FLAGS BYTES CAS, parsed from the end.
        int beforeCas = lastSpace(text, length);
        int beforeSize = lastSpace(text, beforeCas);
        int beforeKey = lastSpace(text, lastSpace(text, beforeSize));
        if (beforeKey != VALUE.length() - 1 || !MemcachedCommand.is(text, VALUE.length(), VALUE)) {
            throw new OperationException(OperationErrorType.GENERAL, "unexpected response");
        }
        cas = number(text, beforeCas + 1, length);
        int size = (int) number(text, beforeSize + 1, beforeCas);
        value = new byte[Math.min(size, LONGEST_VALUE)];
        return size;
    }

    /** Takes a byte of the value, or of the CR LF behind the value; {@code left} more bytes follow. */
    void data(byte next, int left) {
        byte[] into = value;
        int offset = into == null ? 0 : position++;
        if (into != null && offset < into.length && left >= 2) {
            into[offset] = next;
        }
    }

    /** Returns the response, or null while it is incomplete. */
    @Nullable
    Response response() {
        return response;
    }

    private static int lastSpace(byte[] text, int end) {
        int offset = end - 1;
        while (offset >= 0 && text[offset] != ' ') {
            offset--;
        }
        return offset;
    }

    /** Parses digits. A cas id has 64 bits without a sign. */
    private static long number(byte[] text, int start, int end) throws OperationException {
        long number = 0;
        for (int i = start; i < end; i++) {
            if (text[i] < '0' || text[i] > '9') {
                throw new OperationException(OperationErrorType.GENERAL, "unexpected response");
            }
            number = 10 * number + text[i] - '0';
        }
        return number;
    }
}
