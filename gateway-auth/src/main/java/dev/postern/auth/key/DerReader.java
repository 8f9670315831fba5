package dev.postern.auth.key;

import java.util.Arrays;

/**
 * Reader of strict DER (X.690 section 10): definite lengths in their shortest form, and no trailing bytes. Supports only what a public key
 * needs.
 */
final class DerReader {

    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int NULL = 0x05;
    static final int OBJECT_ID = 0x06;
    static final int SEQUENCE = 0x30;

    private final byte[] bytes;
    private final int end;
    private int offset;

    DerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private DerReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.offset = start;
        this.end = end;
    }

    /** Returns a reader of the content of the next element; throws when the tag is another one. */
    DerReader enter(int tag, String subject) {
        if (offset + 2 > end || (bytes[offset] & 0xff) != tag) {
            throw bad(
                    subject,
                    offset < end ? "tag 0x" + Integer.toHexString(bytes[offset] & 0xff) : "nothing",
                    "tag 0x" + Integer.toHexString(tag));
        }
        offset++;
        int length = length(subject);
        if (length > end - offset) {
            throw bad(subject, length + " bytes", "at most the " + (end - offset) + " that are left");
        }
        int start = offset;
        offset += length;
        return new DerReader(bytes, start, offset);
    }

    /** Returns the rest of the content. */
    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, offset, end);
        offset = end;
        return rest;
    }

    boolean has(int tag) {
        return offset < end && (bytes[offset] & 0xff) == tag;
    }

    void expectEnd(String subject) {
        if (offset != end) {
            throw bad(subject, (end - offset) + " bytes more", "the end");
        }
    }

    private int length(String subject) {
        int first = bytes[offset++] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count < 1 || count > 2 || offset + count > end) {
            throw bad(subject, "length of length " + count, "1 or 2");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | bytes[offset++] & 0xff;
        }
        if (length < 0x80 || count == 2 && length < 0x100) {
            throw bad(subject, "length " + length + " in " + count + " bytes", "the shortest form");
        }
        return length;
    }

    static IllegalArgumentException bad(String subject, String value, String expected) {
        return new IllegalArgumentException("token-key: " + subject + ": " + value + " (expected: " + expected + ")");
    }
}
