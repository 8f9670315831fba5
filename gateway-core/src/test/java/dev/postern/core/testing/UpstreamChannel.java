package dev.postern.core.testing;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http2.client.Http2UpstreamConnection;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.connect.UpstreamStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connection to an HTTP/2 server in memory, on a loop whose time the test moves. The test sends the server's frames. */
public final class UpstreamChannel implements AutoCloseable {

    private static final Duration FIRST_BYTE = Duration.ofSeconds(60);

    private final ManualChannel channel = new ManualChannel();
    private final List<String> events = new ArrayList<>();
    private final FrameClient server = FrameClient.over(channel);
    private final UpstreamConnection connection;

    /** Opens a connection whose windows do not grow. */
    public UpstreamChannel() {
        this(new ReceiveWindows(0, of -> 0));
    }

    public UpstreamChannel(ReceiveWindows windows) {
        connection = Http2UpstreamConnection.factory(windows, channel.ticker())
                .open(
                        channel,
                        new PoolEvents(),
                        new UpstreamConnection.Terms("app", 100, Duration.ofSeconds(1), Duration.ofSeconds(30)));
        server.readPreface();
    }

    public ManualChannel channel() {
        return channel;
    }

    /** Returns the server, which sends frames. */
    public FrameClient server() {
        return server;
    }

    public UpstreamConnection connection() {
        return connection;
    }

    /** Sends the server's settings, acknowledges the gateway's, and drops what the gateway has sent until then. */
    public UpstreamChannel accept(int... settings) {
        int[] all = new int[settings.length + 2];
        all[0] = 1; // no dynamic table
        System.arraycopy(settings, 0, all, 2, settings.length);
        server.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(all));
        sent();
        events.clear();
        return this;
    }

    /** Returns a head without a body. */
    public static RequestHead head(String method, String path) {
        RequestHead head = new RequestHead().method(Method.of(method)).target(path, "");
        head.add(FieldName.HOST, "a.example");
        return head;
    }

    /** Returns the head of a request whose body follows. */
    public static RequestHead post() {
        return head("POST", "/").bodyLength(RequestHead.CHUNKED);
    }

    /** Sends a request, whose events carry its name. */
    public UpstreamEvents send(String name, RequestHead head) {
        UpstreamStream stream = connection.stream(new StreamEvents(name));
        UpstreamEvents handler = new UpstreamEvents(name, stream, events);
        stream.expect(channel.ticker().nanoTime(), FIRST_BYTE);
        stream.send(head, handler);
        channel.runPendingTasks();
        return handler;
    }

    /** Sends a request, whose events carry no name. */
    public UpstreamEvents send(RequestHead head) {
        return send("", head);
    }

    /** Sends GET, and drops its frames. */
    public UpstreamEvents get() {
        UpstreamEvents sent = send(head("GET", "/"));
        sent();
        return sent;
    }

    /** Returns what the gateway has sent since the last call, as {@link FrameText} shows it. */
    public List<String> sent() {
        channel.runPendingTasks();
        return server.arrived().stream().map(FrameText::of).toList();
    }

    /** Returns the events of exchanges, streams and the connection since the last call. */
    public List<String> events() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    public void pass(Duration time) {
        channel.pass(time);
    }

    @Override
    public void close() {
        server.close();
    }

    /** Owner of the connection. */
    private final class PoolEvents implements UpstreamConnection.Owner {

        @Override
        public void ready() {
            events.add("ready");
        }

        @Override
        public void changed() {
            events.add("changed");
        }

        @Override
        public void leaving() {
            events.add("leaving");
        }

        @Override
        public void unresponsive() {
            events.add("unresponsive");
        }

        @Override
        public void gone(Refusal refusal) {
            events.add("gone " + refusal.code());
        }
    }

    /** Owner of a stream. */
    private final class StreamEvents implements UpstreamStream.Owner {

        private final String name;

        StreamEvents(String name) {
            this.name = name;
        }

        @Override
        public void free(boolean reusable) {
            events.add((name + (reusable ? " free" : " spent")).strip());
        }

        @Override
        public void gone() {
            events.add((name + " gone").strip());
        }
    }
}
