package dev.postern.auth.issue;

import static dev.postern.auth.testing.HttpFixture.send;
import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.key.IssuerDirectory;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.core.testing.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests issuer and client by RFC 9578 over HTTP. */
@Tag("long")
class IssuanceIT {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final DevelopmentIssuer issuer = DevelopmentIssuer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Duration.ofHours(24), clock);
    private final TokenClient client = new TokenClient(clock, null);
    private final HttpClient http = HttpClient.newHttpClient();

    IssuanceIT() throws IOException {}

    @AfterEach
    void close() {
        client.close();
        issuer.close();
    }

    @Test
    void issuesATokenThatVerifiesAndMatchesTheChallenge() throws Exception {
        ChallengeField challenge = challenge(issuer.name(), issuer.key());

        Token token = client.fetch(challenge);

        assertThat(token.challengeDigest()).isEqualTo(TokenChallenge.sha256(challenge.challenge()));
        assertThat(token.keyId()).isEqualTo(issuer.key().id());
        assertThat(good(issuer.key(), token)).isTrue();
        assertThat(issuer.issued()).isEqualTo(1);
    }

    @Test
    void issuesManyDifferentTokens() throws Exception {
        List<Token> tokens = new ArrayList<>();

        client.mint(challenge(issuer.name(), null), 200, 8, tokens::add);

        assertThat(tokens).hasSize(200).allMatch(t -> good(issuer.key(), t));
        Set<String> nonces = new HashSet<>();
        tokens.forEach(t -> nonces.add(Arrays.toString(t.identity())));
        assertThat(nonces).hasSize(200);
        assertThat(issuer.issued()).isEqualTo(200);
    }

    @Test
    void publishesItsKeysByRfc9578() throws Exception {
        HttpResponse<byte[]> response =
                http.send(HttpRequest.newBuilder(issuer.directoryUri()).build(), BodyHandlers.ofByteArray());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains(IssuerDirectory.MEDIA_TYPE);
        assertThat(response.headers().firstValue("cache-control")).contains("public, max-age=86400");
        IssuerDirectory directory = IssuerDirectory.read(response.body());
        assertThat(directory.requestUri()).isEqualTo("/token-request");
        assertThat(directory.keys()).hasSize(1);
        assertThat(directory.keys().get(0).notBefore()).isEqualTo(clock.instant());
    }

    @Test
    void rotatesAndRetiresKeysAtRunTime() throws Exception {
        IssuerKey first = issuer.key();
        IssuerKey second = issuer.rotate(Duration.ofHours(2));

        assertThat(issuer.key().id()).isEqualTo(first.id());
        assertThat(client.fetch(challenge(issuer.name(), null)).keyId()).isEqualTo(first.id());
        clock.advance(Duration.ofHours(2));
        assertThat(client.fetch(challenge(issuer.name(), null)).keyId()).isEqualTo(second.id());
        assertThat(client.fetch(challenge(issuer.name(), first)).keyId()).isEqualTo(first.id());

        issuer.retireOld();

        assertThatThrownBy(() -> client.fetch(challenge(issuer.name(), first)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not listed by the issuer");
        assertThat(post(
                        new TokenRequest(TokenType.BLIND_RSA, first.id().last(), new byte[256]).encode(),
                        TokenRequest.MEDIA_TYPE))
                .isEqualTo(422);
    }

    @Test
    void refusesInvalidRequestsByRfc9578() throws Exception {
        byte[] good = TokenScheme.of(TokenType.BLIND_RSA, Issuance.class)
                .begin(issuer.key(), TokenChallenge.sha256(new byte[1]), new SecureRandom())
                .request()
                .encode();
        byte[] wrongType = good.clone();
        wrongType[1] = 1;
        byte[] wrongKey = good.clone();
        wrongKey[2] ^= 1;
        byte[] notBelowModulus = good.clone();
        Arrays.fill(notBelowModulus, 3, 259, (byte) 0xff);

        assertThat(post(good, TokenRequest.MEDIA_TYPE)).isEqualTo(200);
        for (byte[] bad : List.of(
                wrongType,
                wrongKey,
                notBelowModulus,
                new byte[0],
                Arrays.copyOf(good, 258),
                Arrays.copyOf(good, 260),
                new byte[100_000])) {
            assertThat(post(bad, TokenRequest.MEDIA_TYPE)).isEqualTo(422);
        }
        assertThat(post(good, "application/octet-stream")).isEqualTo(415);
        assertThat(issuer.issued()).isEqualTo(1);
    }

    @Test
    void issuesTokensOfEachTypeAndListsTheirKeys() throws Exception {
        List<IssuingKey> made = new ArrayList<>();
        try (DevelopmentIssuer both = both(made)) {
            IssuerDirectory directory = directory(both);
            assertThat(directory.keys()).extracting(k -> k.key().type().value()).containsExactly(1, 2);
            for (int type : new int[] {1, 2}) {
                TokenType offered = Objects.requireNonNull(TokenType.of(type));
                byte[] challenge = new TokenChallenge(type, both.name(), new byte[32], "gateway.example").encode();

                Token token = client.fetch(
                        new ChallengeField(challenge, both.key(offered).encoded(), 600));

                assertThat(token.type()).isEqualTo(offered);
                assertThat(token.keyId()).isEqualTo(both.key(offered).id());
                IssuerKey checking = made.stream()
                        .map(IssuingKey::published)
                        .filter(k -> k.id().equals(token.keyId()))
                        .findFirst()
                        .orElseThrow();
                assertThat(good(checking, token)).isTrue();
            }
            assertThat(both.issued()).isEqualTo(2);
        }
    }

    @Test
    void rotatesEachTypeByItsOptions() throws Exception {
        List<IssuingKey> made = new ArrayList<>();
        try (DevelopmentIssuer both = both(made)) {
            TokenType voprf = Objects.requireNonNull(TokenType.of(1));
            IssuerKey first = both.key(voprf);
            both.roll();
            both.roll();
            // Two keys of each type are kept, and the first one is in use until the begin of the others.
            assertThat(directory(both).keys()).hasSize(6);
            assertThat(both.key(voprf).id()).isEqualTo(first.id());

            clock.advance(Duration.ofMinutes(5));
            both.roll();

            assertThat(both.key(voprf).id()).isNotEqualTo(first.id());
            assertThat(directory(both).keys())
                    .hasSize(4)
                    .noneMatch(k -> k.key().id().equals(first.id()));
            assertThat(made).hasSize(8);
        }
    }

    @Test
    void acceptsRotationAndRetirementFromThisHostOnly() throws Exception {
        URI roll = issuer.directoryUri().resolve("/roll");
        URI retire = issuer.directoryUri().resolve("/retire");
        IssuerKey first = issuer.key();

        assertThat(status(HttpRequest.newBuilder(roll))).isEqualTo(405);
        assertThat(status(HttpRequest.newBuilder(roll)
                        .header("Origin", "https://evil.example")
                        .POST(BodyPublishers.noBody())))
                .isEqualTo(403);
        assertThat(issuer.key().id()).isEqualTo(first.id());
        assertThat(status(HttpRequest.newBuilder(roll).POST(BodyPublishers.noBody())))
                .isEqualTo(204);
        assertThat(issuer.key().id()).isNotEqualTo(first.id());
        assertThat(directory(issuer).keys()).hasSize(2);
        assertThat(status(HttpRequest.newBuilder(retire).POST(BodyPublishers.noBody())))
                .isEqualTo(204);
        assertThat(directory(issuer).keys()).hasSize(1);
    }

    @Test
    void refusesInvalidRequestsOfTypeOneByRfc9578() throws Exception {
        try (DevelopmentIssuer both = both(new ArrayList<>())) {
            TokenType voprf = Objects.requireNonNull(TokenType.of(1));
            byte[] good = TokenScheme.of(voprf, Issuance.class)
                    .begin(both.key(voprf), TokenChallenge.sha256(new byte[1]), new SecureRandom())
                    .request()
                    .encode();
            byte[] wrongKey = good.clone();
            wrongKey[2] ^= 1;
            byte[] identity = new byte[52];
            System.arraycopy(good, 0, identity, 0, 3);
            byte[] uncompressed = good.clone();
            uncompressed[3] = 4;
            byte[] notBelowPrime = good.clone();
            Arrays.fill(notBelowPrime, 4, 52, (byte) 0xff);

            assertThat(post(both, good)).isEqualTo(200);
            for (byte[] bad : List.of(
                    wrongKey,
                    identity,
                    uncompressed,
                    notBelowPrime,
                    Arrays.copyOf(good, 51),
                    Arrays.copyOf(good, 53))) {
                assertThat(post(both, bad)).isEqualTo(422);
            }
            assertThat(both.issued()).isEqualTo(1);
        }
    }

    private DevelopmentIssuer both(List<IssuingKey> made) throws IOException {
        List<TokenType> types = List.of(Objects.requireNonNull(TokenType.of(1)), TokenType.BLIND_RSA);
        return DevelopmentIssuer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new DevelopmentIssuer.Options(
                        types,
                        Duration.ofHours(1),
                        new DevelopmentIssuer.Rolling(Duration.ofMinutes(5), 2),
                        clock,
                        made::add));
    }

    private IssuerDirectory directory(DevelopmentIssuer developmentIssuer) throws Exception {
        return IssuerDirectory.read(http.send(
                        HttpRequest.newBuilder(developmentIssuer.directoryUri()).build(), BodyHandlers.ofByteArray())
                .body());
    }

    private int post(DevelopmentIssuer issuer, byte[] body) throws Exception {
        return status(HttpRequest.newBuilder(issuer.directoryUri().resolve("/token-request"))
                .header("Content-Type", TokenRequest.MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    @Test
    void refusesOtherMethodsAndPaths() throws Exception {
        URI request = issuer.directoryUri().resolve("/token-request");

        assertThat(status(HttpRequest.newBuilder(request))).isEqualTo(405);
        assertThat(status(HttpRequest.newBuilder(issuer.directoryUri()).POST(BodyPublishers.ofString("x"))))
                .isEqualTo(405);
        assertThat(status(HttpRequest.newBuilder(issuer.directoryUri().resolve("/other"))))
                .isEqualTo(404);
    }

    @Test
    void refusesATokenWithAnInvalidSignature() throws Exception {
        try (HttpFixture evil = new HttpFixture()) {
            String directory = "{\"issuer-request-uri\":\"/sign\",\"token-keys\":[{\"token-type\":2,\"token-key\":\""
                    + TokenMint.shared().publicKey() + "\"}]}";
            ChallengeField challenge = challenge(evil.name(), null);
            for (byte[] response : List.of(new byte[256], new byte[255], new byte[0], new byte[100_000])) {
                evil.behave(exchange -> {
                    if (exchange.getRequestURI().getPath().equals("/sign")) {
                        send(exchange, 200, response);
                    } else {
                        text(200, IssuerDirectory.MEDIA_TYPE, directory).handle(exchange);
                    }
                });
                assertThatThrownBy(() -> client.fetch(challenge)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> client.mint(challenge, 10, 4, token -> {}))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    private static boolean good(IssuerKey key, Token token) {
        return SignatureProvider.named(SignatureProvider.PLATFORM).check(key).accepts(token);
    }

    private static ChallengeField challenge(String issuer, @Nullable IssuerKey key) {
        byte[] encoded = new TokenChallenge(2, issuer, new byte[32], "gateway.example").encode();
        return new ChallengeField(encoded, key == null ? null : key.encoded(), 600);
    }

    private int post(byte[] body, String mediaType) throws Exception {
        return status(HttpRequest.newBuilder(issuer.directoryUri().resolve("/token-request"))
                .header("Content-Type", mediaType)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private int status(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
}
