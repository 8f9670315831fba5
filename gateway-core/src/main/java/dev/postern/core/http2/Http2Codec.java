package dev.postern.core.http2;

import dev.postern.core.http2.codec.BoundedEncoder;
import dev.postern.core.http2.codec.FieldDecoder;
import dev.postern.core.http2.guard.Budgets;
import dev.postern.core.http2.guard.Http2Limits;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/**
 * Netty's half of a connection, made before ours, and what both halves share.
 *
 * @param section where the fields of the latest section are
 * @param settings what the client is told first
 */
record Http2Codec(
        DefaultHttp2ConnectionDecoder decoder,
        BoundedEncoder encoder,
        RequestFieldSection section,
        SpareHeads heads,
        StreamTable streams,
        Budgets budgets,
        Http2Settings settings) {

    static Http2Codec of(Http2Connection.Settings settings) {
        Http2Limits limits = settings.budgets();
        int fieldSection = settings.limits().head().bytes();
        DefaultHttp2Connection connection = new DefaultHttp2Connection(true, 0);
        // What clients say of priorities is of no use to anybody and costs a tree (RFC 9113 section 5.3.1).
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        BoundedEncoder encoder = new BoundedEncoder(connection, limits.headerTable());
        SpareHeads heads = new SpareHeads();
        RequestFieldSection section = new RequestFieldSection(settings.limits().head(), heads::next);
        StreamTable streams = new StreamTable(connection);
        // The bound on small CONTINUATION frames is ours, which has a name.
        Http2FrameReader frames = new DefaultHttp2FrameReader(new FieldDecoder(section), Integer.MAX_VALUE);
        boolean acknowledges = true;
        boolean validates = false; // FieldSection and RequestSection do, and answer what is wrong
        DefaultHttp2ConnectionDecoder decoder = new DefaultHttp2ConnectionDecoder(
                connection,
                encoder,
                new OrderedReader(frames, connection, streams),
                Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                acknowledges,
                acknowledges,
                validates,
                validates);
        Http2Settings said = new Http2Settings()
                .maxConcurrentStreams(limits.maxStreams())
                .initialWindowSize(limits.streamWindow())
                .headerTableSize(limits.headerTable())
                .maxHeaderListSize(fieldSection)
                .connectProtocolEnabled(true);
        Budgets budgets = new Budgets(limits, fieldSection, () -> System.nanoTime() / 1000);
        return new Http2Codec(decoder, encoder, section, heads, streams, budgets, said);
    }
}
