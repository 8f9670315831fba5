package dev.postern.core.http2.codec;

import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitExceeded;
import dev.postern.core.http2.guard.AbuseLimits;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * HPACK decoder of Netty that writes each field straight into a {@link HeaderBlock}. The header block judges the size: a field section that
 * is too large is still handled as a message; one that expands far beyond that ends the connection. One per connection.
 */
public final class BoundedHpackDecoder extends DefaultHttp2HeadersDecoder {

    /** Nominal bound; the effective ones are {@link AbuseLimits} for the field block and {@link HeaderBlock} for the field section. */
    private static final long HUGE = 16 * 1024 * 1024;

    private final HeaderBlock headerBlock;
    private final Sink sink = new Sink();

    public BoundedHpackDecoder(HeaderBlock headerBlock) {
        super(false, HUGE);
        this.headerBlock = headerBlock;
    }

    @Override
    protected Http2Headers newHeaders() {
        headerBlock.begin();
        return sink;
    }

    @Override
    public Http2Headers decodeHeaders(int streamId, ByteBuf block) throws Http2Exception {
        try {
            return super.decodeHeaders(streamId, block);
        } catch (Http2Exception e) {
            throw e.getCause() instanceof Bomb ? new AbuseLimitExceeded(AbuseLimit.FIELD_SECTION) : e;
        }
    }

    /** Exception that ends decoding at once; Netty would only record an {@link Http2Exception} until the end of the block. */
    private static final class Bomb extends RuntimeException {

        private static final long serialVersionUID = 1;

        Bomb() {
            super("a field section that unpacks to far too much", null, false, false);
        }
    }

    /** Ignores the value of SETTINGS_MAX_HEADER_LIST_SIZE, which is not the bound here. */
    @Override
    public void maxHeaderListSize(long max, long goAwayMax) {}

    private final class Sink extends DefaultHttp2Headers {

        Sink() {
            super(false);
        }

        /** Returns the status, which Netty reads to allow further heads after an interim response. */
        @Override
        public @Nullable CharSequence status() {
            return headerBlock.statusText();
        }

        @Override
        public Http2Headers add(CharSequence name, CharSequence value) {
            AsciiString n = AsciiString.of(name);
            AsciiString v = AsciiString.of(value);
            headerBlock.field(n.array(), n.arrayOffset(), n.length(), v.array(), v.arrayOffset(), v.length());
            if (headerBlock.bomb()) {
                throw new Bomb();
            }
            return this;
        }
    }
}
