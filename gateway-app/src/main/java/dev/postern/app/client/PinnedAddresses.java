package dev.postern.app.client;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Addresses pinned for some hosts, as with curl's {@code --resolve}. The JDK's client has no pluggable resolver. Requests for http
 * therefore use the address as an HTTP proxy, and those for https use a relay on loopback that accepts CONNECT. Names in TLS and Host stay
 * unchanged. Thread-safe.
 */
public final class PinnedAddresses extends ProxySelector implements AutoCloseable {

    private static final int CONNECT_MILLIS = 5_000;
    private static final String THREAD = "postern-pinned-address";

    private final Map<String, InetSocketAddress> addresses;
    private final LocalServer relay;

    /** @param addresses by {@code host:port} in lower case; the relay connects to these alone */
    public PinnedAddresses(Map<String, InetSocketAddress> addresses) throws IOException {
        this.addresses = Map.copyOf(addresses);
        this.relay = LocalServer.start(THREAD, this::carry);
    }

    /** Returns the pinned address of the host, or its unresolved name if none is pinned. */
    public InetSocketAddress of(String host, int port) {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved(host, port);
        return addresses.getOrDefault(key(host, port), unresolved);
    }

    @Override
    public List<Proxy> select(URI uri) {
        boolean secure = "https".equals(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        InetSocketAddress address = addresses.get(key(uri.getHost(), port));
        if (address == null) {
            return List.of(Proxy.NO_PROXY);
        }
        return List.of(new Proxy(
                Proxy.Type.HTTP,
                secure ? new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port()) : address));
    }

    private static String key(String host, int port) {
        return host.toLowerCase(Locale.ROOT) + ":" + port;
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The JDK's client reports the failure.
    }

    /** Both connections end together; the client reports a failure. */
    private void carry(Socket client) throws IOException {
        Http1Socket connection = new Http1Socket(client, 0);
        InetSocketAddress address = addresses.get(authority(connection.head()));
        if (address == null) {
            return;
        }
        try (Socket server = new Socket()) {
            server.connect(address, CONNECT_MILLIS);
            connection.send(Http1Socket.bytes("HTTP/1.1 200 OK\r\n\r\n"));
            Thread copy = new Thread(() -> copy(client, server), THREAD);
            copy.setDaemon(true);
            copy.start();
            server.getInputStream().transferTo(client.getOutputStream());
        }
    }

    private static void copy(Socket from, Socket target) {
        try {
            from.getInputStream().transferTo(target.getOutputStream());
            target.shutdownOutput();
        } catch (IOException e) {
            // The other direction ends the same way.
        }
    }

    /** Returns the authority of a CONNECT request; empty for any other request. */
    private static String authority(@Nullable Http1Head request) {
        return request != null && request.word(0).equals("CONNECT")
                ? request.word(1).toLowerCase(Locale.ROOT)
                : "";
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }
}
