package dev.postern.load.crowd;

import dev.postern.load.worker.HttpConnection;
import dev.postern.load.worker.HttpConnection.Response;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Line of one client to the gateways: a connection to each, used in turn and opened again after it broke. Not
 * thread-safe.
 */
final class Line implements AutoCloseable {
    /** Status of a request without a response. */
    static final int NONE = 0;

    private final List<Integer> ports;
    private final @Nullable HttpConnection[] connections;
    private int turn;

    Line(int port) {
        this(List.of(port), 0);
    }

    /** @param turn the first request goes to the port of this number, modulo the number of ports */
    Line(List<Integer> ports, int turn) {
        this.ports = ports;
        this.connections = new @Nullable HttpConnection[ports.size()];
        this.turn = turn;
    }

    Response get(String path, String fields) {
        int index = turn++ % ports.size();
        try {
            HttpConnection open = connections[index];
            if (open == null) {
                open = new HttpConnection(ports.get(index));
                connections[index] = open;
            }
            Response response = open.ask(HttpConnection.get(path, fields));
            if ("close".equalsIgnoreCase(response.fields().get("connection"))) {
                close(index);
            }
            return response;
        } catch (IOException e) {
            close(index);
            return new Response(NONE, Map.of(), e.toString());
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < connections.length; i++) {
            close(i);
        }
    }

    private void close(int index) {
        HttpConnection open = connections[index];
        connections[index] = null;
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
