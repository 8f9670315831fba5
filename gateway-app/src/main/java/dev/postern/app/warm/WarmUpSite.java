package dev.postern.app.warm;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import dev.postern.app.socket.LocalServer.Response;

/** Site of a warm-up, behind the gateway: the same small response to almost every request. */
final class WarmUpSite {

    private static final Response SMALL = response("text/html", 600);
    private static final Response LARGE = response("application/octet-stream", 64 * 1024);

    private WarmUpSite() {}

    private static Response response(String type, int length) {
        return Response.ok(
                "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nServer: warm-up\r\nContent-Type: " + type
                        + "\r\nCache-Control: no-store\r\n",
                Http1Socket.bytes("w".repeat(length)));
    }

    /** Returns the conversation with the gateway, for a server on loopback. */
    static LocalServer.Conversation conversation() {
        return LocalServer.of(WarmUpSite::response);
    }

    private static Response response(Http1Head request) {
        return request.text().startsWith("GET /large") ? LARGE : SMALL;
    }
}
