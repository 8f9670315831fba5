package dev.postern.auth.key;

import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Client that fetches issuer directories: at most 1 MiB in at most 5 seconds, by GET, conditional when there is a copy. */
public final class DirectoryClient implements AutoCloseable {

    private static final int MAX_BYTES = 1024 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final BoundedHttpClient client;
    private final InstantSource clock;

    /** @param tls trusted certificates, or null for those of the platform */
    public DirectoryClient(InstantSource clock, @Nullable SSLContext tls) {
        this(new BoundedHttpClient(MAX_BYTES, DEADLINE, tls), clock);
    }

    /** @param proxies proxies for the requests, or null for none */
    public DirectoryClient(InstantSource clock, @Nullable SSLContext tls, @Nullable ProxySelector proxies) {
        this(new BoundedHttpClient(MAX_BYTES, DEADLINE, tls, proxies), clock);
    }

    DirectoryClient(BoundedHttpClient client, InstantSource clock) {
        this.clock = clock;
        this.client = client;
    }

    /**
     * Fetched directory.
     *
     * @param directory null when the copy is still current (304)
     * @param fresh how long it may be used by HTTP caching rules; null when the response states no lifetime
     * @param validators for the next conditional request
     */
    public record Fetched(
            @Nullable IssuerDirectory directory, @Nullable Duration fresh, Validators validators) {}

    /**
     * Validators of a response (RFC 9110 section 8.8), as received.
     *
     * @param etag null when the response has none; likewise {@code lastModified}
     */
    public record Validators(
            @Nullable String etag, @Nullable String lastModified) {

        static Validators of(HttpHeaders headers) {
            return new Validators(
                    headers.firstValue("etag").orElse(null),
                    headers.firstValue("last-modified").orElse(null));
        }

        private boolean any() {
            return etag != null || lastModified != null;
        }

        /** Returns these validators, completed from earlier ones: a 304 may omit unchanged ones. */
        private Validators or(Validators earlier) {
            return new Validators(
                    etag != null ? etag : earlier.etag, lastModified != null ? lastModified : earlier.lastModified);
        }
    }

    /**
     * Fetches the directory; the future fails with an {@link IllegalArgumentException} when the response is not a usable directory, with
     * another exception when there was no response.
     *
     * @param copy validators of the copy, or null when there is none
     */
    public CompletableFuture<Fetched> fetch(URI uri, @Nullable Validators copy) {
        return send(HttpRequest.newBuilder(), uri, copy);
    }

    /** Fetches the directory likewise, but as it is now: caches on the way ask the issuer (RFC 9111 section 5.2.1.4). */
    CompletableFuture<Fetched> fetchCurrent(URI uri, @Nullable Validators copy) {
        return send(HttpRequest.newBuilder().header("Cache-Control", "no-cache"), uri, copy);
    }

    private CompletableFuture<Fetched> send(HttpRequest.Builder request, URI uri, @Nullable Validators copy) {
        request.GET().header("Accept", IssuerDirectory.MEDIA_TYPE);
        if (copy != null && copy.etag() != null) {
            request.header("If-None-Match", copy.etag());
        }
        if (copy != null && copy.lastModified() != null) {
            request.header("If-Modified-Since", copy.lastModified());
        }
        return client.send(request, uri).thenApply(response -> read(response, copy));
    }

    private Fetched read(HttpResponse<byte[]> response, @Nullable Validators sent) {
        Instant now = clock.instant();
        Duration fresh = CacheControl.of(response.headers(), now);
        int status = response.statusCode();
        Validators validators = Validators.of(response.headers());
        if (status == 304 && sent != null && sent.any()) {
            return new Fetched(null, fresh, validators.or(sent));
        }
        if (status != 200) {
            throw new IllegalArgumentException("directory: status " + status + " (expected: 200)");
        }
        return new Fetched(IssuerDirectory.read(response.body()), fresh, validators);
    }

    @Override
    public void close() {
        client.close();
    }
}
