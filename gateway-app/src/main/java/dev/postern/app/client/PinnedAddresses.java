package dev.postern.app.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Addresses pinned for some hosts, as with curl's {@code --resolve}. The JDK's client has no pluggable resolver. Requests for http
 * therefore use the address as an HTTP proxy, and those for https use a relay on loopback that accepts CONNECT. Names in TLS and Host stay
 * unchanged. Thread-safe.
 */
public final class PinnedAddresses extends ProxySelector implements AutoCloseable {

    private static final int CONNECT_MILLIS = 5_000;
    private static final int MAX_HEAD = 8 * 1024;
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final Map<String, InetSocketAddress> addresses;
    private final ServerSocket relay;

    /** @param addresses by {@code host:port} in lower case; the relay connects to these alone */
    public PinnedAddresses(Map<String, InetSocketAddress> addresses) throws IOException {
        this.addresses = Map.copyOf(addresses);
        this.relay = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        daemon(this::accept);
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
        return List.of(new Proxy(Proxy.Type.HTTP, secure ? relay.getLocalSocketAddress() : address));
    }

    private static String key(String host, int port) {
        return host.toLowerCase(Locale.ROOT) + ":" + port;
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The JDK's client reports the failure.
    }

    private void accept() {
        try {
            while (true) {
                Socket client = relay.accept();
                daemon(() -> carry(client));
            }
        } catch (IOException e) {
            // The relay is closed.
        }
    }

    private void carry(Socket client) {
        try (client;
                Socket server = new Socket()) {
            InetSocketAddress address = addresses.get(authority(client.getInputStream()));
            if (address == null) {
                return;
            }
            server.connect(address, CONNECT_MILLIS);
            OutputStream back = client.getOutputStream();
            back.write(("HTTP/1.1 200 OK" + END_OF_HEAD).getBytes(ISO_8859_1));
            daemon(() -> copy(client, server));
            server.getInputStream().transferTo(back);
        } catch (IOException e) {
            // Both connections are closed; the client reports the failure.
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

    /** Reads the authority of a CONNECT request; empty for any other input. */
    private static String authority(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf(END_OF_HEAD) < 0) {
            int c = in.read();
            if (c < 0 || head.length() == MAX_HEAD) {
                return "";
            }
            head.append((char) c);
        }
        String[] words = head.toString().split(" ", 3);
        return words[0].equals("CONNECT") ? words[1].toLowerCase(Locale.ROOT) : "";
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "postern-pinned-address");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }
}
