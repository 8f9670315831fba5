package dev.postern.load.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/** Readiness probe of a server. */
@FunctionalInterface
public interface Readiness {
    boolean ready();

    /** Probes whether a server accepts connections on this loopback port. */
    static Readiness accepts(int port) {
        return () -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
                return true;
            } catch (IOException e) {
                return false;
            }
        };
    }

    /** Probes whether this address responds 200. */
    static Readiness responses(URI uri) {
        return () -> {
            try {
                HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
                connection.setConnectTimeout(500);
                connection.setReadTimeout(2000);
                int status = connection.getResponseCode();
                connection.disconnect();
                return status == 200;
            } catch (IOException e) {
                return false;
            }
        };
    }
}
