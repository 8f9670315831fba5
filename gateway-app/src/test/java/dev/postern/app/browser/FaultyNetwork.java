package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Received;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.function.UnaryOperator;

/** Network between a browser and a gateway, with faults. The first request, for the page, meets none. */
final class FaultyNetwork implements AutoCloseable {

    private final TestOrigin front = new TestOrigin();
    private final List<NetworkFault> faults;
    private volatile int gateway;
    private volatile UnaryOperator<String> requests = UnaryOperator.identity();
    private volatile UnaryOperator<String> responses = UnaryOperator.identity();

    FaultyNetwork(int gateway, List<NetworkFault> faults) {
        this.gateway = gateway;
        this.faults = faults;
        front.behave(this::respond);
    }

    private void respond(Received request, Socket client) throws IOException {
        if (front.received().size() > 1) {
            for (NetworkFault fault : faults) {
                if (fault.meets(request)) {
                    fault.behaviour().response(request, client);
                    return;
                }
            }
        }
        forward(request, client);
    }

    /** Sends later requests to another gateway. */
    void leadTo(int other) {
        gateway = other;
    }

    /** Changes the heads of later requests. */
    void changeRequests(UnaryOperator<String> change) {
        requests = change;
    }

    /** Changes the heads of later responses. */
    void changeResponses(UnaryOperator<String> change) {
        responses = change;
    }

    List<Received> received() {
        return front.received();
    }

    void closeConnections() {
        front.closeConnections();
    }

    String url(String path) {
        return "http://" + front.address() + path;
    }

    private void forward(Received request, Socket client) throws IOException {
        String head = request.head();
        int fields = head.indexOf("\r\n");
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), gateway)) {
            String closing = head.substring(0, fields) + "\r\nConnection: close"
                    + head.substring(fields).replaceAll("(?i)\r\nConnection: [^\r]*", "");
            OutputStream out = upstream.getOutputStream();
            out.write(requests.apply(closing).getBytes(ISO_8859_1));
            out.write(request.body());
            out.flush();
            InputStream in = upstream.getInputStream();
            client.getOutputStream().write(responses.apply(head(in)).getBytes(ISO_8859_1));
            in.transferTo(client.getOutputStream());
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            head.append((char) b);
            if (b == '\n' && head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        return head.toString();
    }

    @Override
    public void close() {
        front.close();
    }
}
