package dev.postern.auth.spend.memcached.command;

import dev.postern.auth.spend.store.StoreReply;
import org.jspecify.annotations.Nullable;

/** Reply to a {@code gets} of one key: the raw bytes of the value, which are never deserialised, and the cas id. For one reply. */
public final class GetsReply {

    /** {@code VALUE}, the longest key of {@link MemcachedEncoding}, three numbers. */
    public static final int LONGEST_LINE = 192;

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
    public record Response(StoreReply reply, byte @Nullable [] value, long cas) {

        /** Returns whether the server reported a value or that there is none. */
        public boolean known() {
            return reply == StoreReply.STORED || reply == StoreReply.NOT_STORED;
        }
    }

    /**
     * Takes a line without its end.
     *
     * @return bytes of the value that follow, before the end of their line; -1 when none follow
     */
    public int line(byte[] text, int length) throws UnexpectedReplyException {
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
            throw new UnexpectedReplyException();
        }
        cas = number(text, beforeCas + 1, length);
        int size = (int) number(text, beforeSize + 1, beforeCas);
        value = new byte[Math.min(size, LONGEST_VALUE)];
        return size;
    }

    /** Takes a byte of the value, or of the CR LF behind the value; {@code remaining} more bytes follow. */
    public void data(byte next, int remaining) {
        byte[] into = value;
        int offset = into == null ? 0 : position++;
        if (into != null && offset < into.length && remaining >= 2) {
            into[offset] = next;
        }
    }

    /** Returns the response, or null while it is incomplete. */
    public @Nullable Response response() {
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
    private static long number(byte[] text, int start, int end) throws UnexpectedReplyException {
        long number = 0;
        for (int i = start; i < end; i++) {
            if (text[i] < '0' || text[i] > '9') {
                throw new UnexpectedReplyException();
            }
            number = 10 * number + text[i] - '0';
        }
        return number;
    }
}
