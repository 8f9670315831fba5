package dev.postern.core.http2;

import dev.postern.core.http2.codec.BoundedHpackDecoder;
import dev.postern.core.http2.codec.BoundedHpackEncoder;
import dev.postern.core.http2.guard.AbuseLimits;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.http2.window.GrowingFlowController;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.concurrent.Ticker;

/**
 * Codec of a client connection: Netty's parts, which are created before {@link Http2ServerConnection}, and the objects that both share.
 *
 * @param block contains the fields of the latest field section
 * @param settings the first settings sent to the client
 */
record Http2ServerCodec(
        DefaultHttp2ConnectionDecoder decoder,
        BoundedHpackEncoder encoder,
        RequestHeaderBlock block,
        RequestHeadPool pool,
        StreamTable streams,
        AbuseLimits limits,
        Http2Settings settings) {

    static Http2ServerCodec of(Http2ServerConnection.Settings settings, Ticker ticker) {
        Http2Limits limits = settings.http2Limits();
        int fieldSection = settings.limits().head().bytes();
        int headerTable = (int) limits.headerTable().bytes();
        DefaultHttp2Connection connection = new DefaultHttp2Connection(true, 0);
        connection.local().flowController(GrowingFlowController.ofClient(connection, settings.windows(), ticker));
        // Priorities of clients are ignored; Netty's default distributor would keep a tree of them (RFC 9113 section
        // 5.3.1).
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        AbuseLimits abuseLimits = AbuseLimits.of(limits, fieldSection, ticker);
        BoundedHpackEncoder encoder = new BoundedHpackEncoder(connection, headerTable, abuseLimits);
        RequestHeadPool pool = new RequestHeadPool();
        RequestHeaderBlock block = new RequestHeaderBlock(settings.limits().head(), pool::next);
        StreamTable streams = new StreamTable(connection, limits.maxStreams());
        // AbuseLimits bounds small CONTINUATION frames, and reports its own AbuseLimit.
        Http2FrameReader frames = new DefaultHttp2FrameReader(new BoundedHpackDecoder(block), Integer.MAX_VALUE);
        boolean acknowledges = true;
        boolean validates = false; // HeaderBlock and RequestHeadMapper do, and reply to invalid fields
        DefaultHttp2ConnectionDecoder decoder = new DefaultHttp2ConnectionDecoder(
                connection,
                encoder,
                new StreamIdCheckingFrameReader(frames, connection, streams, abuseLimits),
                Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                acknowledges,
                acknowledges,
                validates,
                validates);
        Http2Settings initial = new Http2Settings()
                .maxConcurrentStreams(limits.maxStreams())
                .initialWindowSize((int) limits.streamWindow().bytes())
                .headerTableSize(headerTable)
                .maxHeaderListSize(fieldSection)
                .connectProtocolEnabled(true);
        return new Http2ServerCodec(decoder, encoder, block, pool, streams, abuseLimits, initial);
    }
}
