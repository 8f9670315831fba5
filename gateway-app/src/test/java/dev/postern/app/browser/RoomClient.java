package dev.postern.app.browser;

import dev.postern.core.testing.RawClient;
import org.jspecify.annotations.Nullable;

/** Client of the shop without a browser, which keeps its slot until {@link #leave}. */
final class RoomClient {

    /** A response that never ends: an open download keeps a slot. */
    static final String STAY = "/stay";

    private final int port;
    private String cookie = "none=none";
    private @Nullable RawClient inside;

    RoomClient(int port) {
        this.port = port;
    }

    /** Sends one request; returns whether it was admitted. */
    boolean enter() {
        RawClient client = new RawClient(port);
        RawClient.Response response = client.send(
                        "GET " + STAY + " HTTP/1.1\r\nHost: shop.example\r\nCookie: " + cookie + "\r\n\r\n")
                .readHead();
        String given = response.field("Set-Cookie").split(";", 2)[0];
        cookie = given.isEmpty() ? cookie : given;
        if (response.status() == 200) {
            inside = client;
            return true;
        }
        client.close();
        return false;
    }

    /** Sends another request with the pass while the first one continues; returns its status. */
    int asksAgain() {
        RawClient client = new RawClient(port);
        int status = client.send("GET " + STAY + " HTTP/1.1\r\nHost: shop.example\r\nCookie: " + cookie + "\r\n\r\n")
                .readHead()
                .status();
        client.reset();
        return status;
    }

    void leave() {
        RawClient left = inside;
        inside = null;
        if (left != null) {
            left.reset(); // closing only the output would not show that the client stopped reading
        }
    }
}
