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

/** Fetches directories of issuers: at most 1 MiB in at most 5 seconds, by GET, conditional when a copy is at hand. */
public final class DirectoryClient implements AutoCloseable {

    private static final int MAX_BYTES = 1024 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final BoundedHttpClient client;
    private final InstantSource clock;

    /** @param tls whom to trust, or null for what the platform trusts */
    public DirectoryClient(InstantSource clock, @Nullable SSLContext tls) {
        this(new BoundedHttpClient(MAX_BYTES, DEADLINE, tls), clock);
    }

    /** @param proxies by which ways requests go, or null for straight ones */
    public DirectoryClient(InstantSource clock, @Nullable SSLContext tls, @Nullable ProxySelector proxies) {
        this(new BoundedHttpClient(MAX_BYTES, DEADLINE, tls, proxies), clock);
    }

    DirectoryClient(BoundedHttpClient client, InstantSource clock) {
        this.clock = clock;
        this.client = client;
    }

    /**
     * A directory as it was fetched.
     *
     * @param directory null when the copy that was asked about is still the newest
     * @param fresh how long it may be used by HTTP caching rules; null when nothing was said
     * @param validators to ask with next time
     */
    public record Fetched(
            @Nullable IssuerDirectory directory, @Nullable Duration fresh, Validators validators) {}

    /**
     * What an issuer said by which it knows the copy again (RFC 9110 section 8.8), as it was sent.
     *
     * @param etag or null when it offers none; as is {@code lastModified}
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

        /** A 304 may leave out what did not change. */
        private Validators or(Validators earlier) {
            return new Validators(
                    etag != null ? etag : earlier.etag, lastModified != null ? lastModified : earlier.lastModified);
        }
    }

    /**
     * Fetches; the future fails with an {@link IllegalArgumentException} when the response is no usable directory, with another exception
     * when there was no response.
     *
     * @param copy of the copy at hand, or null when there is none
     */
    public CompletableFuture<Fetched> fetch(URI uri, @Nullable Validators copy) {
        HttpRequest.Builder request = HttpRequest.newBuilder().GET().header("Accept", IssuerDirectory.MEDIA_TYPE);
        if (copy != null && copy.etag() != null) {
            request.header("If-None-Match", copy.etag());
        }
        if (copy != null && copy.lastModified() != null) {
            request.header("If-Modified-Since", copy.lastModified());
        }
        return client.send(request, uri).thenApply(response -> read(response, copy));
    }

    private Fetched read(HttpResponse<byte[]> response, @Nullable Validators asked) {
        Instant now = clock.instant();
        Duration fresh = CacheControl.of(response.headers(), now);
        int status = response.statusCode();
        Validators validators = Validators.of(response.headers());
        if (status == 304 && asked != null && asked.any()) {
            return new Fetched(null, fresh, validators.or(asked));
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
