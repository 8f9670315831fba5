package dev.postern.load.crowd;

import dev.postern.load.worker.HttpConnection;
import dev.postern.load.worker.HttpConnection.Response;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Line of one client to the gateway: a connection that is opened again after it broke. Not thread-safe. */
final class Line implements AutoCloseable {
    /** Status of a request without a response. */
    static final int NONE = 0;

    private final int port;
    private @Nullable HttpConnection connection;

    Line(int port) {
        this.port = port;
    }

    Response get(String path, String fields) {
        try {
            HttpConnection open = connection;
            if (open == null) {
                open = new HttpConnection(port);
                connection = open;
            }
            Response response = open.ask(HttpConnection.get(path, fields));
            if ("close".equalsIgnoreCase(response.fields().get("connection"))) {
                close();
            }
            return response;
        } catch (IOException e) {
            close();
            return new Response(NONE, Map.of(), e.toString());
        }
    }

    @Override
    public void close() {
        HttpConnection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The connection is closed because it is of no use any more.
                return;
            }
        }
    }
}
