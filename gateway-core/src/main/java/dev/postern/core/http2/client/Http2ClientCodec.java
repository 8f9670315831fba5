package dev.postern.core.http2.client;

import dev.postern.core.http.HeadLimits;
import dev.postern.core.http2.codec.BoundedHpackDecoder;
import dev.postern.core.http2.codec.BoundedHpackEncoder;
import dev.postern.core.http2.guard.AbuseLimits;
import dev.postern.core.http2.window.GrowingFlowController;
import dev.postern.core.rate.Gcra;
import dev.postern.core.transport.ReceiveWindows;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.concurrent.Ticker;

/**
 * Codec of an upstream connection: Netty's parts, which are created before {@link Http2UpstreamConnection}, and the objects that both
 * share.
 *
 * @param block contains the fields of the latest field section
 * @param settings the first settings sent to the server
 */
record Http2ClientCodec(
        DefaultHttp2ConnectionDecoder decoder,
        BoundedHpackEncoder encoder,
        ResponseHeaderBlock block,
        AbuseLimits limits,
        Http2Settings settings) {

    private static final int HEADER_TABLE = 4096;
    private static final int CONTINUATIONS = 16;
    private static final long MINUTE = 60_000_000;

    /** Rates of frames that cost the gateway more than the server; far more than a merely faulty server sends. */
    private static final AbuseLimits.Rates RATES = new AbuseLimits.Rates(
            Gcra.of(60_000, MINUTE, 9_999), Gcra.of(6_000, MINUTE, 999), Gcra.of(6_000, MINUTE, 999));

    static Http2ClientCodec of(ReceiveWindows windows, Ticker ticker) {
        DefaultHttp2Connection connection = new DefaultHttp2Connection(false, 0);
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        connection.local().flowController(GrowingFlowController.ofUpstream(connection, windows, ticker));
        AbuseLimits abuseLimits = new AbuseLimits(
                RATES, CONTINUATIONS, HeadLimits.RESPONSES.bytes(), Http2CodecUtil.DEFAULT_WINDOW_SIZE, ticker);
        BoundedHpackEncoder encoder = new BoundedHpackEncoder(connection, HEADER_TABLE, abuseLimits);
        ResponseHeaderBlock block = new ResponseHeaderBlock(HeadLimits.RESPONSES);
        boolean acknowledges = true;
        boolean validates = false; // ResponseHeaderBlock and ResponseHeadMapper do
        DefaultHttp2ConnectionDecoder decoder = new DefaultHttp2ConnectionDecoder(
                connection,
                encoder,
                new DefaultHttp2FrameReader(new BoundedHpackDecoder(block), Integer.MAX_VALUE),
                Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                acknowledges,
                acknowledges,
                validates,
                validates);
        Http2Settings settings = new Http2Settings()
                .pushEnabled(false)
                .headerTableSize(HEADER_TABLE)
                .maxHeaderListSize(HeadLimits.RESPONSES.bytes());
        return new Http2ClientCodec(decoder, encoder, block, abuseLimits, settings);
    }
}
