package dev.postern.app.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.core.config.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tunnel through a forward proxy (CONNECT, RFC 9110 section 9.3.6). The JDK's client can't send a given Proxy-Authorization field, so this
 * class writes both requests itself. For one thread.
 */
public final class ProxyTunnel implements AutoCloseable {

    private static final int DEADLINE_MILLIS = 30_000;
    private static final int BUFFER = 8 * 1024;

    private final Http1Socket connection;
    private final ClientResponse opened;

    private ProxyTunnel(Http1Socket connection, ClientResponse opened) {
        this.connection = connection;
        this.opened = opened;
    }

    /**
     * Sends the CONNECT request.
     *
     * @param destination {@code host:port}
     * @param credential for Proxy-Authorization; empty for none
     */
    public static ProxyTunnel open(InetSocketAddress proxy, String destination, String credential) throws IOException {
        return ask(proxy, "CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n", credential);
    }

    /**
     * Sends the request for a UDP tunnel (RFC 9298 section 3.2).
     *
     * @param credential for Proxy-Authorization; empty for none
     */
    public static ProxyTunnel openUdp(InetSocketAddress proxy, HostPort destination, String credential)
            throws IOException {
        String host = URLEncoder.encode(destination.host().replaceAll("[\\[\\]]", ""), UTF_8);
        String path = "/.well-known/masque/udp/" + host + "/" + destination.port() + "/";
        String head = "GET " + path + " HTTP/1.1\r\nHost: " + proxy.getHostString() + ":" + proxy.getPort() + "\r\n"
                + "Connection: Upgrade\r\nUpgrade: connect-udp\r\nCapsule-Protocol: ?1\r\n";
        return ask(proxy, head, credential);
    }

    private static ProxyTunnel ask(InetSocketAddress proxy, String lines, String credential) throws IOException {
        InetSocketAddress resolved = new InetSocketAddress(proxy.getHostString(), proxy.getPort());
        Http1Socket connection = Http1Socket.to(resolved, DEADLINE_MILLIS);
        try {
            String fields = credential.isEmpty() ? "" : "Proxy-Authorization: " + credential + "\r\n";
            connection.send(Http1Socket.bytes(lines + fields + "\r\n"));
            return new ProxyTunnel(connection, response(connection.responseHead(), ""));
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns the proxy's response: 200 if the tunnel is open, 101 for a UDP tunnel. */
    public ClientResponse opened() {
        return opened;
    }

    /** Returns the datagrams of an open UDP tunnel. */
    public DatagramStream datagrams() {
        return new DatagramStream(connection.socket(), connection.input());
    }

    /** Sends one GET request through the open tunnel, over TLS if the scheme is https. The response ends the tunnel. */
    public ClientResponse get(URI uri) throws IOException {
        return get(uri, null, Map.of());
    }

    /**
     * Sends one GET request with the given TLS context and fields.
     *
     * @param trust TLS context with the trusted certificates, or null for those of the platform
     */
    public ClientResponse get(URI uri, @Nullable SSLContext trust, Map<String, List<String>> fields)
            throws IOException {
        Http1Socket through = connection;
        if ("https".equals(uri.getScheme())) {
            SSLSocketFactory factory =
                    trust == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : trust.getSocketFactory();
            SSLSocket tls = (SSLSocket) factory.createSocket(connection.socket(), uri.getHost(), uri.getPort(), true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            tls.setSSLParameters(parameters);
            through = new Http1Socket(tls, BUFFER);
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        // HTTP/1.0: the body ends with the connection and is not chunked.
        StringBuilder request = new StringBuilder("GET " + path + query + " HTTP/1.0\r\n");
        if (fields.keySet().stream().noneMatch("Host"::equalsIgnoreCase)) {
            request.append("Host: ").append(uri.getAuthority()).append("\r\n");
        }
        fields.forEach((name, values) -> values.forEach(
                value -> request.append(name).append(": ").append(value).append("\r\n")));
        through.send(Http1Socket.bytes(request.append("\r\n").toString()));
        Http1Head head = through.responseHead();
        return response(head, new String(through.input().readAllBytes(), UTF_8));
    }

    private static ClientResponse response(Http1Head head, String body) throws IOException {
        return new ClientResponse(head.status(), head.fields(), body);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
