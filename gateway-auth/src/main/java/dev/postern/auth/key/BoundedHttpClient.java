package dev.postern.auth.key;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client for small responses from servers that may be faulty or hostile: a limit on the body, a deadline for the whole call, no
 * redirect to another server. Runs on its own threads.
 */
public final class BoundedHttpClient implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int MAX_REDIRECTS = 3;
    private static final int LONGEST_LINE = 200;

    private final HttpClient client;
    private final ExecutorService threads;
    private final int mostBytes;
    private final Duration deadline;

    /**
     * @param mostBytes of a body
     * @param deadline of a call, from its start to the last byte of the response
     * @param tls trusted certificates, or null for those of the platform
     */
    public BoundedHttpClient(int mostBytes, Duration deadline, @Nullable SSLContext tls) {
        this(mostBytes, deadline, tls, null);
    }

    /** @param proxies proxies for the requests, or null for none */
    public BoundedHttpClient(
            int mostBytes, Duration deadline, @Nullable SSLContext tls, @Nullable ProxySelector proxies) {
        this(mostBytes, deadline, threads -> client(threads, deadline, tls, proxies));
    }

    /** @param maker makes the client, which runs on those threads */
    BoundedHttpClient(int mostBytes, Duration deadline, Function<ExecutorService, HttpClient> maker) {
        this.mostBytes = mostBytes;
        this.deadline = deadline;
        String name = "postern-issuer-http-" + NUMBER.incrementAndGet();
        this.threads = Executors.newFixedThreadPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()), task -> daemon(task, name));
        this.client = maker.apply(threads);
    }

    private static HttpClient client(
            ExecutorService threads, Duration deadline, @Nullable SSLContext tls, @Nullable ProxySelector proxies) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(deadline)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (tls != null) {
            builder.sslContext(tls);
        }
        if (proxies != null) {
            builder.proxy(proxies);
        }
        return builder.build();
    }

    /** Sends the request; the future fails with an {@link IOException} for every transport error. */
    public CompletableFuture<HttpResponse<byte[]>> send(HttpRequest.Builder request, URI uri) {
        CompletableFuture<HttpResponse<byte[]>> result = new CompletableFuture<>();
        send(request, uri, MAX_REDIRECTS, result);
        return result.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void send(
            HttpRequest.Builder request, URI uri, int redirects, CompletableFuture<HttpResponse<byte[]>> result) {
        // After a timeout the JDK closes a connection of HTTP/1.1, but sends the next request on one of HTTP/2 whose
        // peer
        // has vanished; and over plain TCP it would first request an upgrade, which many servers handle wrongly.
        HttpRequest built = request.copy()
                .uri(uri)
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(deadline)
                .build();
        CompletableFuture<HttpResponse<byte[]>> call = client.sendAsync(built, info -> new Bounded(mostBytes));
        call.whenComplete((response, failure) -> {
            if (failure != null) {
                result.completeExceptionally(inOneLine(failure));
                return;
            }
            URI next = redirect(response, uri);
            if (next == null || redirects == 0) {
                result.complete(response);
            } else {
                send(request, next, redirects - 1, result);
            }
        });
        // When the deadline ends the result, the call must end too.
        result.whenComplete((response, failure) -> call.cancel(true));
    }

    /**
     * Limits the failure's message to one line of printable ASCII: the HTTP client quotes invalid input at any length, and the message is
     * logged.
     */
    private static Throwable inOneLine(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String text = String.valueOf(cause.getMessage());
        String line = (text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "...")
                .replaceAll("[^ -~]", "?");
        return line.equals(text) ? cause : new IOException(line, cause);
    }

    private static @Nullable URI redirect(HttpResponse<byte[]> response, URI from) {
        if (!List.of(301, 302, 303, 307, 308).contains(response.statusCode())
                || !response.request().method().equals("GET")) {
            return null;
        }
        String location = response.headers().firstValue("location").orElse(null);
        URI to = location == null ? null : resolve(from, location);
        boolean sameServer = to != null
                && from.getScheme().equalsIgnoreCase(to.getScheme())
                && from.getAuthority().equalsIgnoreCase(to.getAuthority());
        return sameServer ? to : null;
    }

    private static @Nullable URI resolve(URI from, String location) {
        try {
            return from.resolve(location);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Body subscriber with a limit; one byte more ends the connection. */
    private static final class Bounded implements BodySubscriber<byte[]> {

        private final int max;
        private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private Flow.@Nullable Subscription subscription;

        Bounded(int max) {
            this.max = max;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription started) {
            subscription = started;
            started.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                if (bytes.length > max - gathered.size()) {
                    if (subscription != null) {
                        subscription.cancel();
                    }
                    body.completeExceptionally(new IOException("body: more than " + max + " bytes"));
                    return;
                }
                gathered.writeBytes(bytes);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(gathered.toByteArray());
        }
    }
}
