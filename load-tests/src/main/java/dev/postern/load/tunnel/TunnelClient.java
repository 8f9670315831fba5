package dev.postern.load.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

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
    private static final int MAX_HEAD = 64 * 1024;

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
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(MAX_MILLIS);
            socket.connect(proxy, MAX_MILLIS);
            String field = authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n";
            socket.getOutputStream().write((head + field + "\r\n").getBytes(ISO_8859_1));
            String response = head(socket);
            if (!response.startsWith("HTTP/1.1 " + status)) {
                throw new TunnelRefusedException(response);
            }
            socket.setSoTimeout(0);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Reads one byte at a time: those behind the head belong to the tunnel. */
    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int octet = socket.getInputStream().read();
            if (octet < 0 || head.length() == MAX_HEAD) {
                throw new IOException("response: " + head.length()
                        + " bytes without an end of the head (expected: a head of at most " + MAX_HEAD + " bytes)");
            }
            head.append((char) octet);
        }
        return head.toString();
    }
}
