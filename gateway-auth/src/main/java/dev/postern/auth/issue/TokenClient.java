package dev.postern.auth.issue;

import dev.postern.auth.key.BoundedHttpClient;
import dev.postern.auth.key.DirectoryClient;
import dev.postern.auth.key.IssuerDirectory;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Client of RFC 9578: fetches tokens for challenges of any issuer, using only the issuer's public addresses. Blocks; never for event loops.
 * Thread-safe.
 */
public final class TokenClient implements AutoCloseable {

    private static final int MAX_BYTES = 64 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final DirectoryClient directories;
    private final BoundedHttpClient client;
    private final SecureRandom random = new SecureRandom();

    /** @param tls trusted certificates, or null for those of the platform */
    public TokenClient(InstantSource clock, @Nullable SSLContext tls) {
        this(clock, tls, null);
    }

    /** @param proxies proxies for the requests, or null for none */
    public TokenClient(InstantSource clock, @Nullable SSLContext tls, @Nullable ProxySelector proxies) {
        this.clock = clock;
        this.directories = new DirectoryClient(clock, tls, proxies);
        this.client = new BoundedHttpClient(MAX_BYTES, DEADLINE, tls, proxies);
    }

    /**
     * Fetches one token for that challenge.
     *
     * @throws IOException when the issuer cannot be reached or violates RFC 9578
     */
    public Token fetch(ChallengeField challenge) throws IOException, InterruptedException {
        return sign(prepare(challenge));
    }

    /**
     * Fetches many tokens for one challenge; passes each on as soon as it is complete, by one thread at a time.
     *
     * @param parallel concurrent requests
     */
    public void mint(ChallengeField challenge, int count, int parallel, Consumer<Token> each)
            throws IOException, InterruptedException {
        Order order = prepare(challenge);
        new TokenBatch(count, parallel, each).run(() -> sign(order));
    }

    /** Order for tokens of one challenge: the data that all of them share. */
    private record Order(Issuance scheme, IssuerKey key, Bytes32 challengeDigest, URI requestUri) {}

    /** Returns the first challenge whose type this client knows, skipping GREASE and unknown types, or null when there is none. */
    public static @Nullable ChallengeField first(List<ChallengeField> challenges) {
        for (ChallengeField field : challenges) {
            TokenChallenge challenge = TokenChallenge.decode(field.challenge());
            if (challenge != null && TokenType.of(challenge.tokenType()) != null) {
                return field;
            }
        }
        return null;
    }

    private Order prepare(ChallengeField field) throws IOException, InterruptedException {
        TokenChallenge challenge = TokenChallenge.decode(field.challenge());
        TokenType type = challenge == null ? null : TokenType.of(challenge.tokenType());
        if (challenge == null || type == null) {
            throw new IllegalArgumentException(
                    "challenge: " + (challenge == null ? "broken" : "type " + challenge.tokenType())
                            + " (expected: one of token type " + TokenScheme.types() + ")");
        }
        URI uri = IssuerAddress.directory(challenge.issuerName());
        IssuerDirectory directory = directory(challenge.issuerName(), uri);
        if (directory == null) {
            throw new IOException("directory of " + challenge.issuerName() + ": none (expected: a fresh one)");
        }
        if (directory.requestUri().isEmpty()) {
            throw new IOException("directory of " + challenge.issuerName()
                    + ": no issuer-request-uri (expected: an http or https address)");
        }
        return new Order(
                TokenScheme.of(type, Issuance.class),
                key(type, field, directory),
                TokenChallenge.sha256(field.challenge()),
                uri.resolve(directory.requestUri()));
    }

    private @Nullable IssuerDirectory directory(String issuer, URI uri) throws IOException, InterruptedException {
        try {
            return await(directories.fetch(uri, null)).directory();
        } catch (IOException e) {
            throw new IOException(
                    "issuer " + issuer + ": " + uri + ": " + e.getMessage()
                            + " (expected: its directory; clients derive this URL from the issuer's name in the challenge,"
                            + " so the name has to be the host, and the port where it is not 443, at which the issuer is"
                            + " reached)",
                    e);
        }
    }

    /** Returns the key that the challenge names, if the issuer lists the key: an unlisted key could be made to identify this client. */
    private IssuerKey key(TokenType type, ChallengeField field, IssuerDirectory directory) throws IOException {
        byte[] named = field.tokenKey();
        IssuerKey key = named == null
                ? directory.preferred(type, clock.instant())
                : directory.keys().stream()
                        .map(IssuerDirectory.ListedKey::key)
                        .filter(k -> k.type().equals(type) && Arrays.equals(k.encoded(), named))
                        .findFirst()
                        .orElse(null);
        if (key == null) {
            throw new IOException("token-key: " + (named == null ? "none" : "not listed by the issuer")
                    + " (expected: a key of type " + type.value() + " in the issuer's directory)");
        }
        return key;
    }

    private Token sign(Order order) throws IOException, InterruptedException {
        PendingToken pending = order.scheme().begin(order.key(), order.challengeDigest(), random);
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .POST(HttpRequest.BodyPublishers.ofByteArray(pending.request().encode()))
                .header("Content-Type", TokenRequest.MEDIA_TYPE)
                .header("Accept", TokenRequest.RESPONSE_MEDIA_TYPE);
        HttpResponse<byte[]> response = await(client.send(request, order.requestUri()));
        if (response.statusCode() != 200) {
            throw new IOException("token request: status " + response.statusCode() + " (expected: 200)");
        }
        try {
            return pending.finish(response.body());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(FailureText.of(e), e);
        }
    }

    @Override
    public void close() {
        directories.close();
        client.close();
    }

    /**
     * Address of an issuer's directory: https, as names in challenges are authorities of https (RFC 9577 section 2.1.1); http when the name is
     * a loopback one with a port, such as {@code localhost:9999} or {@code 127.0.0.1:9999}, so that development needs no certificates.
     */
    static final class IssuerAddress {

        private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

        /** Length of a host (RFC 1035 section 2.3.4), a colon and a port; the issuer name of a challenge may have up to 65535 characters. */
        private static final int LONGEST_NAME = 253 + 6;

        private IssuerAddress() {}

        static URI directory(String issuerName) {
            if (issuerName.length() > LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "issuer-name: " + issuerName.length() + " characters (expected: host or host:port)");
            }
            int colon = issuerName.lastIndexOf(':');
            String host = colon > issuerName.lastIndexOf(']') ? issuerName.substring(0, colon) : issuerName;
            String scheme = colon > 0 && LOOPBACK.contains(host) && !host.equals(issuerName) ? "http" : "https";
            URI uri;
            try {
                uri = URI.create(scheme + "://" + issuerName + IssuerSettings.WELL_KNOWN);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("issuer-name: " + issuerName + " (expected: host or host:port)", e);
            }
            if (uri.getHost() == null
                    || uri.getUserInfo() != null
                    || !uri.getPath().equals(IssuerSettings.WELL_KNOWN)) {
                throw new IllegalArgumentException("issuer-name: " + issuerName + " (expected: host or host:port)");
            }
            return uri;
        }
    }
}
