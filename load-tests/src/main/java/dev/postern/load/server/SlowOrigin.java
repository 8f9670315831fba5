package dev.postern.load.server;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import dev.postern.app.socket.LocalServer.Response;
import dev.postern.load.measure.Unchecked;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Slow origin: responds to each request after a delay and with the requested path. */
public record SlowOrigin(LocalServer server) {

    public static SlowOrigin start(RunFolder folder, Duration delay) {
        return Unchecked.get(() -> new SlowOrigin(
                folder.add(LocalServer.start("slow-origin", LocalServer.of(request -> response(request, delay))))));
    }

    private static Response response(Http1Head request, Duration delay) {
        long end = System.nanoTime() + delay.toNanos();
        for (long left = delay.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return Response.ok("", Http1Socket.bytes(request.word(1)));
    }

    public int port() {
        return server.port();
    }
}
