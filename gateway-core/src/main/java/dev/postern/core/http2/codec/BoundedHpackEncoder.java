package dev.postern.core.http2.codec;

import dev.postern.core.http2.guard.AbuseLimits;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HPACK encoder of Netty with a bounded dynamic table, however large a table the peer offers (RFC 7541 section 4.2). */
public final class BoundedHpackEncoder extends DefaultHttp2ConnectionEncoder {

    private static final List<AsciiString> SECRET = List.of(
            AsciiString.cached("set-cookie"),
            AsciiString.cached("cookie"),
            AsciiString.cached("authorization"),
            AsciiString.cached("proxy-authorization"));

    /**
     * Marks fields with credentials as never indexed, so that they are not in the table used for other messages (RFC 7541 section 7.1.3).
     */
    private static final Http2HeadersEncoder.SensitivityDetector SENSITIVE = (name, value) -> secret(name);

    /**
     * Ignores SETTINGS_MAX_HEADER_LIST_SIZE of the peer, which is advisory (RFC 9113 section 6.5.2): the gateway does not drop fields of
     * the other side.
     */
    private static final boolean IGNORES_LIST_SIZE = true;

    private final Http2HeadersEncoder fields;
    private final long table;

    /**
     * @param table bytes of the dynamic table at most
     * @param limits count what is sent
     */
    public BoundedHpackEncoder(Http2Connection connection, long table, AbuseLimits limits) {
        this(connection, new DefaultHttp2HeadersEncoder(SENSITIVE, IGNORES_LIST_SIZE), table, limits);
    }

    private BoundedHpackEncoder(
            Http2Connection connection, Http2HeadersEncoder fields, long table, AbuseLimits limits) {
        super(connection, new CountingFrameWriter(fields, connection, limits));
        this.fields = fields;
        this.table = table;
    }

    /** Returns the encoder of field blocks; blocks must be encoded in the order in which they are written. */
    public Http2HeadersEncoder fields() {
        return fields;
    }

    private static boolean secret(CharSequence name) {
        for (int i = 0; i < SECRET.size(); i++) {
            if (SECRET.get(i).contentEquals(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Removes the stream limit from what Netty enforces: the gateway enforces it, because a refused stream may still be followed by its
     * body.
     */
    @Override
    public @Nullable Http2Settings pollSentSettings() {
        Http2Settings sent = super.pollSentSettings();
        if (sent != null) {
            sent.remove(Http2CodecUtil.SETTINGS_MAX_CONCURRENT_STREAMS);
        }
        return sent;
    }

    @Override
    public void remoteSettings(Http2Settings settings) throws Http2Exception {
        Long offered = settings.headerTableSize();
        if (offered != null && offered > table) {
            settings.headerTableSize(table);
        }
        super.remoteSettings(settings);
    }
}
