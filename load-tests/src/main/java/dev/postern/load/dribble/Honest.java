package dev.postern.load.dribble;

import dev.postern.load.crowd.Crowd;
import dev.postern.load.measure.Unchecked;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Honest clients: one that requests a page, and one that asks whether the gateway lives. */
final class Honest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<URI> pages;

    Honest(DribbleSite site) {
        this.pages = List.of(
                URI.create("http://127.0.0.1:" + site.port() + "/app/ok"),
                URI.create("http://127.0.0.1:" + site.adminPort() + "/livez"));
    }

    /** Requests and their failures. */
    record Result(int requests, int failed) {}

    /** Sends requests until the turn is over. */
    Result send(Pace pace) {
        AtomicInteger requests = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        Crowd.run(pages.size(), number -> () -> {
            while (!pace.isOver()) {
                requests.incrementAndGet();
                if (!succeeds(pages.get(number))) {
                    failed.incrementAndGet();
                }
                LockSupport.parkNanos(PAUSE);
            }
        });
        return new Result(requests.get(), failed.get());
    }

    private boolean succeeds(URI page) {
        try {
            HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static void join(Thread thread) {
        Unchecked.run(() -> thread.join());
    }
}
