package dev.postern.auth.key;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Fetches directories of issuers: at most 1 MiB in at most 5 seconds, by GET, conditional when a copy is at hand. */
public final class DirectoryClient implements AutoCloseable {

    private static final int MOST_BYTES = 1024 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final BoundedHttp http;
    private final InstantSource clock;

    /** @param tls whom to trust, or null for what the platform trusts */
    public DirectoryClient(InstantSource clock, @Nullable SSLContext tls) {
        this(new BoundedHttp(MOST_BYTES, DEADLINE, tls), clock);
    }

    DirectoryClient(BoundedHttp http, InstantSource clock) {
        this.clock = clock;
        this.http = http;
    }

    /**
     * A directory as it was fetched.
     *
     * @param directory null when the copy that {@code etag} stood for is still the newest
     * @param fresh how long it may be used by HTTP caching rules; null when nothing was said
     * @param etag to ask with next time, or null
     */
    public record Fetched(
            @Nullable Directory directory,
            @Nullable Duration fresh,
            @Nullable String etag) {}

    /**
     * Fetches; the future fails with an {@link IllegalArgumentException} when the answer is no usable directory, with another exception
     * when there was no answer.
     */
    public CompletableFuture<Fetched> fetch(URI uri, @Nullable String etag) {
        HttpRequest.Builder request = HttpRequest.newBuilder().GET().header("Accept", Directory.MEDIA_TYPE);
        if (etag != null) {
            request.header("If-None-Match", etag);
        }
        return http.send(request, uri).thenApply(response -> read(response, etag));
    }

    private Fetched read(HttpResponse<byte[]> response, @Nullable String asked) {
        Instant now = clock.instant();
        Duration fresh = Freshness.of(response.headers(), now);
        int status = response.statusCode();
        if (status == 304 && asked != null) {
            return new Fetched(null, fresh, asked);
        }
        if (status != 200) {
            throw new IllegalArgumentException("directory: status " + status + " (expected: 200)");
        }
        String etag = response.headers().firstValue("etag").orElse(null);
        return new Fetched(Directory.read(response.body()), fresh, etag);
    }

    @Override
    public void close() {
        http.close();
    }
}
