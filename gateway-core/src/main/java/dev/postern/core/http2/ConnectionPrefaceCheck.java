package dev.postern.core.http2;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What must hold when a connection begins: TLS that is good enough (RFC 9113 section 9.2.2 and appendix A), and settings that the client
 * acknowledges in time (section 6.5.3). Event loop only.
 */
final class ConnectionPrefaceCheck {

    /** Of TLS 1.2: keys that are forgotten, and encryption that authenticates; all else is on the list of appendix A. */
    private static final Pattern ADEQUATE =
            Pattern.compile("TLS_(EC)?DHE_\\w+_WITH_\\w+_(GCM|CCM|CCM_8|POLY1305)(_\\w+)?");

    private final long most;
    private @Nullable Deadline acknowledged;
    private boolean begun;

    /**
     * @param shutdown says goodbye to a client that does not acknowledge
     * @param most how long it may take
     */
    ConnectionPrefaceCheck(GracefulShutdown shutdown, EventLoop loop, Duration most) {
        this.most = most.toNanos();
        this.acknowledged = new Deadline(loop, () -> shutdown.now(Http2Error.SETTINGS_TIMEOUT, "settings"));
    }

    /** Bytes came; false when they came over TLS that is not good enough. */
    boolean begin(ChannelPipeline pipeline) {
        if (begun) {
            return true;
        }
        begun = true;
        if (acknowledged != null) {
            acknowledged.set(System.nanoTime(), most);
        }
        SslHandler tls = pipeline.get(SslHandler.class);
        if (tls == null) {
            return true;
        }
        SSLSession session = tls.engine().getSession();
        return adequate(session.getProtocol(), session.getCipherSuite());
    }

    /** Whether HTTP/2 may be spoken over that. */
    static boolean adequate(String protocol, String suite) {
        return protocol.equals("TLSv1.3")
                || (protocol.equals("TLSv1.2") && ADEQUATE.matcher(suite).matches());
    }

    /** The client knows our settings, or is gone. */
    void over() {
        if (acknowledged != null) {
            acknowledged.stop();
            acknowledged = null;
        }
    }
}
