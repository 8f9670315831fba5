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
 * Check of a new connection: adequate TLS (RFC 9113 section 9.2.2 and appendix A), and a client that acknowledges the settings in time
 * (section 6.5.3). Event loop only.
 */
final class ConnectionPrefaceCheck {

    /** Cipher suites of TLS 1.2 with forward secrecy and authenticated encryption; all others are on the list of appendix A. */
    private static final Pattern ADEQUATE =
            Pattern.compile("TLS_(EC)?DHE_\\w+_WITH_\\w+_(GCM|CCM|CCM_8|POLY1305)(_\\w+)?");

    private final long timeout;
    private @Nullable Deadline acknowledged;
    private boolean begun;

    /**
     * @param shutdown closes the connection of a client that does not acknowledge
     * @param timeout how long the acknowledgement may take
     */
    ConnectionPrefaceCheck(GracefulShutdown shutdown, EventLoop loop, Duration timeout) {
        this.timeout = timeout.toNanos();
        this.acknowledged = new Deadline(loop, () -> shutdown.now(Http2Error.SETTINGS_TIMEOUT, "settings"));
    }

    /** Starts the check with the first bytes. Returns false when the TLS session is not adequate. */
    boolean begin(ChannelPipeline pipeline) {
        if (begun) {
            return true;
        }
        begun = true;
        if (acknowledged != null) {
            acknowledged.set(timeout);
        }
        SslHandler tls = pipeline.get(SslHandler.class);
        if (tls == null) {
            return true;
        }
        SSLSession session = tls.engine().getSession();
        return adequate(session.getProtocol(), session.getCipherSuite());
    }

    /** Returns whether HTTP/2 is allowed over that TLS version and cipher suite. */
    static boolean adequate(String protocol, String suite) {
        return protocol.equals("TLSv1.3")
                || (protocol.equals("TLSv1.2") && ADEQUATE.matcher(suite).matches());
    }

    /** Ends the wait for the acknowledgement, when it arrived or the connection ends. */
    void over() {
        if (acknowledged != null) {
            acknowledged.stop();
            acknowledged = null;
        }
    }
}
