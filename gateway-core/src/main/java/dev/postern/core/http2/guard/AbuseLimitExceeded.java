package dev.postern.core.http2.guard;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/** Thrown when a limit is exceeded in the middle of a frame: the rest of the frame is not read. Ends the connection. */
public final class AbuseLimitExceeded extends Http2Exception {

    private static final long serialVersionUID = 1;

    private final AbuseLimit limit;

    public AbuseLimitExceeded(AbuseLimit limit) {
        super(Http2Error.ENHANCE_YOUR_CALM, limit.label());
        this.limit = limit;
    }

    public AbuseLimit limit() {
        return limit;
    }
}
