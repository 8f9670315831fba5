package dev.postern.app.browser;

import dev.postern.core.testing.RawClient;
import org.jspecify.annotations.Nullable;

/** Somebody who comes to the shop without a browser and, once inside, stays until told to leave. */
final class Person {

    /** A response that never ends: an open download keeps a slot. */
    static final String STAY = "/stay";

    private final int port;
    private String cookie = "none=none";
    private @Nullable RawClient inside;

    Person(int port) {
        this.port = port;
    }

    /** Asks once; whether this was let in. */
    boolean enters() {
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

    /** Asks for something more with the pass, and goes on with what is under way; the status. */
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
            left.reset(); // a mere end of what is sent would not say that nobody listens any more
        }
    }
}
