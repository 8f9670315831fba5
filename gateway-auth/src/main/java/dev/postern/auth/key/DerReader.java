package dev.postern.auth.key;

import java.util.Arrays;

/**
 * Reads DER strictly (X.690 section 10): definite lengths in their shortest form, and nothing left over. Only what a public key needs.
 */
final class DerReader {

    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int NULL = 0x05;
    static final int OBJECT_ID = 0x06;
    static final int SEQUENCE = 0x30;

    private final byte[] bytes;
    private final int end;
    private int at;

    DerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private DerReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /** A reader of the content of the next element; refuses another tag. */
    DerReader enter(int tag, String what) {
        if (at + 2 > end || (bytes[at] & 0xff) != tag) {
            throw bad(
                    what,
                    at < end ? "tag 0x" + Integer.toHexString(bytes[at] & 0xff) : "nothing",
                    "tag 0x" + Integer.toHexString(tag));
        }
        at++;
        int length = length(what);
        if (length > end - at) {
            throw bad(what, length + " bytes", "at most the " + (end - at) + " that are left");
        }
        int start = at;
        at += length;
        return new DerReader(bytes, start, at);
    }

    /** The rest of the content. */
    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return rest;
    }

    boolean has(int tag) {
        return at < end && (bytes[at] & 0xff) == tag;
    }

    void expectEnd(String what) {
        if (at != end) {
            throw bad(what, (end - at) + " bytes more", "the end");
        }
    }

    private int length(String what) {
        int first = bytes[at++] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count < 1 || count > 2 || at + count > end) {
            throw bad(what, "length of length " + count, "1 or 2");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | bytes[at++] & 0xff;
        }
        if (length < 0x80 || count == 2 && length < 0x100) {
            throw bad(what, "length " + length + " in " + count + " bytes", "the shortest form");
        }
        return length;
    }

    static IllegalArgumentException bad(String what, String value, String expected) {
        return new IllegalArgumentException("token-key: " + what + ": " + value + " (expected: " + expected + ")");
    }
}
