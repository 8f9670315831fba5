package dev.postern.core.http2.client;

import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http2.codec.HeaderBlock;
import org.jspecify.annotations.Nullable;

/** Header block of a response, with its one pseudo-header (RFC 9113 section 8.3.2). Used by one connection at a time. */
final class ResponseHeaderBlock extends HeaderBlock {

    private static final int DIGITS = 3;
    private static final int LEAST = 100;
    private static final int MAX = 999;

    private final ResponseHead head;
    private int status;

    /** @param limits of a field section */
    ResponseHeaderBlock(HeadLimits limits) {
        this(limits, new ResponseHead());
    }

    private ResponseHeaderBlock(HeadLimits limits, ResponseHead head) {
        super(limits, false, head);
        this.head = head;
    }

    @Override
    protected ResponseHead next() {
        status = 0;
        return head;
    }

    @Override
    protected @Nullable String pseudo(String name, byte[] value, int offset, int length) {
        if (!name.equals(":status")) {
            return "unknown pseudo-header";
        }
        if (status != 0) {
            return "several statuses";
        }
        for (int i = offset; i < offset + length; i++) {
            if (value[i] < '0' || value[i] > '9' || length != DIGITS) {
                return "status";
            }
            status = status * 10 + (value[i] - '0');
        }
        return status < LEAST || status > MAX ? "status" : null;
    }

    /** Returns the head, always the same object. */
    ResponseHead head() {
        return head;
    }

    @Override
    protected CharSequence statusText() {
        return Integer.toString(status);
    }

    int status() {
        return status;
    }

    @Override
    public boolean hasPseudo() {
        return status != 0;
    }
}
