package dev.postern.load.tunnel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Client that opens tunnels through a forward proxy. Waits at most ten seconds for a connection or a response. Thread-safe.
 *
 * @param proxy address of the forward listener, without TLS
 * @param authorization value of {@code Proxy-Authorization}, for example {@code PrivateToken token="..."}; a token opens one tunnel. Null
 *     for a proxy that requires none
 */
public record TunnelClient(
        InetSocketAddress proxy, @Nullable String authorization) {
    private static final int MAX_MILLIS = 10_000;

    /**
     * Opens a TCP tunnel (RFC 9110 section 9.3.6) and returns its socket: its bytes are those of the destination.
     *
     * @param host name, IPv4 address, or IPv6 address without brackets
     * @throws TunnelRefusedException when the response is not 2xx
     */
    public Socket tcp(String host, int port) throws IOException {
        String authority = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        return open("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n", "2");
    }

    /**
     * Opens a UDP tunnel at the default template (RFC 9298 section 3.2).
     *
     * @param host name, IPv4 address, or IPv6 address without brackets
     * @throws TunnelRefusedException when the response is not 101
     */
    public UdpTunnel udp(String host, int port) throws IOException {
        String path = "/.well-known/masque/udp/" + URLEncoder.encode(host, UTF_8) + "/" + port + "/";
        String authority = proxy.getHostString() + ":" + proxy.getPort();
        return new UdpTunnel(open(
                "GET " + path + " HTTP/1.1\r\nHost: " + authority
                        + "\r\nConnection: Upgrade\r\nUpgrade: connect-udp\r\nCapsule-Protocol: ?1\r\n",
                "101"));
    }

    private Socket open(String head, String status) throws IOException {
        // Without a buffer: the bytes behind the head belong to the tunnel.
        Http1Socket connection = Http1Socket.to(proxy, MAX_MILLIS, 0);
        try {
            String field = authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n";
            connection.send(Http1Socket.bytes(head + field + "\r\n"));
            Http1Head response = connection.responseHead();
            if (!response.text().startsWith("HTTP/1.1 " + status)) {
                throw new TunnelRefusedException(response.text());
            }
            connection.socket().setSoTimeout(0);
            return connection.socket();
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** Exception for a response that opens no tunnel; its message is the head of the response. */
    public static final class TunnelRefusedException extends IOException {
        private static final long serialVersionUID = 1;

        TunnelRefusedException(String head) {
            super("response: " + head.strip() + " (expected: one that opens a tunnel)");
        }
    }
}
