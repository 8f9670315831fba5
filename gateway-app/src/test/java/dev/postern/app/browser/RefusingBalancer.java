package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.testing.TestOrigin.Received;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Load balancer before a gateway that responds to some requests itself. */
final class RefusingBalancer implements AutoCloseable {

    private final TestOrigin front = new TestOrigin();

    /** @param own response of the balancer itself to a request; null when the request goes to the gateway */
    RefusingBalancer(int gateway, Function<Received, @Nullable Behaviour> own) {
        front.behave((request, socket) -> {
            Behaviour response = own.apply(request);
            if (response == null) {
                forward(request, gateway, socket);
            } else {
                response.response(request, socket);
            }
        });
    }

    /** Returns whether the request is for the events of a waiting page. */
    static boolean stream(Received request) {
        return request.field("Accept").contains("text/event-stream");
    }

    /** Returns whether the request is for the position of a waiting page as JSON. */
    static boolean poll(Received request) {
        return request.line().contains("/.postern/room/") && !stream(request);
    }

    /** Returns a refusal as the gateway and others send it to scripts. */
    static Behaviour refusal(int status) {
        String body = "{\"status\":" + status + "}";
        return Behaviour.raw("HTTP/1.1 " + status
                + " Refused\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    String url(String path) {
        return "http://" + front.address() + path;
    }

    private static void forward(Received request, int gateway, Socket client) throws IOException {
        String head = request.head();
        int fields = head.indexOf("\r\n");
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), gateway)) {
            OutputStream out = upstream.getOutputStream();
            out.write((head.substring(0, fields)
                            + "\r\nConnection: close"
                            + head.substring(fields).replaceAll("(?i)\r\nConnection: [^\r]*", ""))
                    .getBytes(ISO_8859_1));
            out.write(request.body());
            out.flush();
            upstream.getInputStream().transferTo(client.getOutputStream());
        }
    }

    @Override
    public void close() {
        front.close();
    }
}
