package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.Http1Socket.Response;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Line of one client to the gateways: a connection to each, used in turn and opened again after it broke. Not
 * thread-safe.
 */
final class Line implements AutoCloseable {
    /** Status of a request without a response. */
    static final int NONE = 0;

    private static final Http1Head NO_HEAD = new Http1Head("\r\n");

    private final List<Integer> ports;
    private final @Nullable Http1Socket[] connections;
    private int turn;

    Line(int port) {
        this(List.of(port), 0);
    }

    /** @param turn the first request goes to the port of this number, modulo the number of ports */
    Line(List<Integer> ports, int turn) {
        this.ports = ports;
        this.connections = new @Nullable Http1Socket[ports.size()];
        this.turn = turn;
    }

    Response get(String path, String fields) {
        int index = turn++ % ports.size();
        try {
            Http1Socket open = connections[index];
            if (open == null) {
                open = Http1Socket.to(ports.get(index));
                connections[index] = open;
            }
            Response response = open.ask(Http1Socket.get(path, fields));
            if (response.field("connection").equalsIgnoreCase("close")) {
                close(index);
            }
            return response;
        } catch (IOException e) {
            close(index);
            return new Response(NONE, NO_HEAD, e.toString());
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < connections.length; i++) {
            close(i);
        }
    }

    private void close(int index) {
        Http1Socket open = connections[index];
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
