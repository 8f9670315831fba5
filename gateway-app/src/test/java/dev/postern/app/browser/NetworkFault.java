package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.testing.TestOrigin.Received;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Fault of the network between a browser and the gateway: what happens to which requests, and how often. */
final class NetworkFault {

    private final Predicate<Received> requests;
    private final int times;
    private final Behaviour behaviour;
    private final AtomicInteger met = new AtomicInteger();
    private volatile boolean ended;

    private NetworkFault(Predicate<Received> requests, int times, Behaviour behaviour) {
        this.requests = requests;
        this.times = times;
        this.behaviour = behaviour;
    }

    /** Kind of requests. */
    enum Requests {
        STREAMS(RefusingBalancer::stream),
        POLLS(RefusingBalancer::poll),
        STATUS(request -> request.line().contains("/.postern/")),
        /** Questions of the page for its own address. */
        CHECKS(request -> request.line().startsWith("HEAD ")),
        ALL(request -> true);

        private final Predicate<Received> predicate;

        Requests(Predicate<Received> predicate) {
            this.predicate = predicate;
        }

        NetworkFault always(Behaviour behaviour) {
            return new NetworkFault(predicate, Integer.MAX_VALUE, behaviour);
        }

        NetworkFault first(int times, Behaviour behaviour) {
            return new NetworkFault(predicate, times, behaviour);
        }
    }

    /** Returns whether the request meets this fault, which counts. */
    boolean meets(Received request) {
        return !ended && requests.test(request) && met.getAndIncrement() < times;
    }

    /** Ends the fault: later requests do not meet it. */
    void end() {
        ended = true;
    }

    Behaviour behaviour() {
        return behaviour;
    }

    /** Returns whether the fault has happened. */
    boolean shown() {
        return met.get() > 0;
    }

    static Behaviour answer(int status, String type, String body) {
        return answer(status, type, body, "");
    }

    /** @param fields further fields, each with its line end */
    static Behaviour answer(int status, String type, String body, String fields) {
        return Behaviour.raw("HTTP/1.1 " + status + " Other\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.length() + "\r\n" + fields + "\r\n" + body);
    }

    /** Responds as a system that knows no waiting room. */
    static Behaviour page(int status) {
        return answer(status, "text/html", "<!doctype html><title>Other</title>");
    }

    static Behaviour redirect(String url) {
        return answer(302, "text/html", "", "Location: " + url + "\r\n");
    }

    /** Sends the text and then nothing, on an open connection. */
    static Behaviour stalled(String text) {
        return (request, socket) -> {
            OutputStream out = socket.getOutputStream();
            out.write(text.getBytes(ISO_8859_1));
            out.flush();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        };
    }

    static Behaviour silent() {
        return stalled("");
    }

    /** Sends the text and closes the connection. */
    static Behaviour cut(String text) {
        return (request, socket) -> {
            socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            socket.close();
        };
    }

    static Behaviour reset() {
        return (request, socket) -> {
            socket.setSoLinger(true, 0);
            socket.close();
        };
    }

    /** Returns the text of an event stream whose end is the end of its connection. */
    static String events(String text) {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
                + text;
    }
}
