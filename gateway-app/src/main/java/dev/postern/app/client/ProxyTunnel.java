package dev.postern.app.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.config.HostPort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
    private static final int MAX_LINE = 16 * 1024;
    private static final int MAX_FIELDS = 200;

    private final Socket socket;
    private final InputStream in;
    private final ClientResponse opened;

    private ProxyTunnel(Socket socket, InputStream in, ClientResponse opened) {
        this.socket = socket;
        this.in = in;
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
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.connect(new InetSocketAddress(proxy.getHostString(), proxy.getPort()), DEADLINE_MILLIS);
            String fields = credential.isEmpty() ? "" : "Proxy-Authorization: " + credential + "\r\n";
            socket.getOutputStream().write((lines + fields + "\r\n").getBytes(ISO_8859_1));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            return new ProxyTunnel(socket, in, head(in));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns the proxy's response: 200 if the tunnel is open, 101 for a UDP tunnel. */
    public ClientResponse opened() {
        return opened;
    }

    /** Returns the datagrams of an open UDP tunnel. */
    public DatagramStream datagrams() {
        return new DatagramStream(socket, in);
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
        Socket through = socket;
        InputStream from = in;
        if ("https".equals(uri.getScheme())) {
            SSLSocketFactory factory =
                    trust == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : trust.getSocketFactory();
            SSLSocket tls = (SSLSocket) factory.createSocket(socket, uri.getHost(), uri.getPort(), true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            tls.setSSLParameters(parameters);
            through = tls;
            from = new BufferedInputStream(tls.getInputStream());
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
        through.getOutputStream().write(request.append("\r\n").toString().getBytes(ISO_8859_1));
        ClientResponse head = head(from);
        return new ClientResponse(head.status(), head.fields(), new String(from.readAllBytes(), UTF_8));
    }

    private static ClientResponse head(InputStream in) throws IOException {
        String status = line(in);
        String[] words = status.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("\\d{3}")) {
            throw new IOException("response: " + status + " (expected: a status line of HTTP/1)");
        }
        Map<String, List<String>> fields = new HashMap<>();
        for (int i = 0; i < MAX_FIELDS; i++) {
            String line = line(in);
            if (line.isEmpty()) {
                return new ClientResponse(Integer.parseInt(words[1]), fields, "");
            }
            int colon = line.indexOf(':');
            if (colon > 0) {
                String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
                fields.computeIfAbsent(name, n -> new ArrayList<>())
                        .add(line.substring(colon + 1).trim());
            }
        }
        throw new IOException("response: more than " + MAX_FIELDS + " fields (expected: fewer)");
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() > MAX_LINE) {
                throw new IOException(
                        "response: " + (c < 0 ? "cut off" : "a line too long") + " (expected: a whole head)");
            }
            line.append((char) c);
        }
        int length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
