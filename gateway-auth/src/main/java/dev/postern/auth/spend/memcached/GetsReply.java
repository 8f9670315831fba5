package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.StoreReply;
import net.spy.memcached.ops.OperationErrorType;
import net.spy.memcached.ops.OperationException;
import org.jspecify.annotations.Nullable;

/** Reads the reply to a {@code gets} of one key: its bytes as they are (nothing is ever deserialised) and their cas number. For one reply. */
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
     * What the server holds under the key.
     *
     * @param reply STORED: it holds a value; NOT_STORED: none; else nobody knows
     */
    record Response(StoreReply reply, byte @Nullable [] value, long cas) {

        /** Whether the server said what it holds, be it nothing. */
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
        // VALUE KEY FLAGS BYTES CAS, from behind.
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

    /** Takes a byte of the value, or of the end of its line, when {@code left} more follow. */
    void data(byte next, int left) {
        byte[] into = value;
        int offset = into == null ? 0 : position++;
        if (into != null && offset < into.length && left >= 2) {
            into[offset] = next;
        }
    }

    /** The whole response, or null while more is to come. */
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

    /** Digits; a cas number has 64 bits without a sign. */
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
