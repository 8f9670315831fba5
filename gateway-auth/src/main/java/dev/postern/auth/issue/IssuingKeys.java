package dev.postern.auth.issue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Issuing keys of an issuer, newest of each type first, and the directory that lists them. Thread-safe. */
final class IssuingKeys {

    private final List<TokenType> types;
    private final InstantSource clock;
    private final Consumer<IssuingKey> made;
    private final List<Listed> keys = new CopyOnWriteArrayList<>();

    private record Listed(IssuingKey secret, IssuerKey published, Instant notBefore) {

        boolean of(TokenType type) {
            return published.type().equals(type);
        }
    }

    /**
     * @param types in the order in which the directory lists their keys
     * @param made called with every new key before the key is listed
     */
    IssuingKeys(List<TokenType> types, InstantSource clock, Consumer<IssuingKey> made) {
        this.types = List.copyOf(types);
        this.clock = clock;
        this.made = made;
        rotate(Duration.ZERO);
    }

    /** Makes a key of each type. Returns the key of the first type. */
    synchronized IssuerKey rotate(Duration wait) {
        IssuerKey first = null;
        Instant notBefore = clock.instant().plus(wait);
        for (TokenType type : types) {
            IssuingKey secret;
            do {
                secret = TokenScheme.of(type, Issuance.class).generate();
                // Requests identify their key by one byte of the key id only.
            } while (find(type, secret.published().id().last()) != null);
            made.accept(secret);
            Listed listed = new Listed(secret, secret.published(), notBefore);
            keys.add(0, listed);
            first = first == null ? listed.published() : first;
        }
        if (first == null) {
            throw new IllegalArgumentException("token-types: none (expected: one at least)");
        }
        return first;
    }

    /** Removes all but the newest {@code keep} keys of each type; never the current one. */
    synchronized void retire(int keep) {
        for (TokenType type : types) {
            List<Listed> mine = keys.stream().filter(k -> k.of(type)).toList();
            IssuerKey current = current(type);
            mine.stream().skip(keep).filter(k -> k.published() != current).forEach(keys::remove);
        }
    }

    /** Returns the current key of clients: the first whose not-before time has passed. */
    IssuerKey current(TokenType type) {
        Instant now = clock.instant();
        IssuerKey first = null;
        for (Listed key : keys) {
            if (key.of(type)) {
                if (!key.notBefore().isAfter(now)) {
                    return key.published();
                }
                first = first == null ? key.published() : first;
            }
        }
        if (first == null) {
            throw new IllegalArgumentException("token-type: " + type.value() + " (expected: one of " + types + ")");
        }
        return first;
    }

    /** Returns the response to the request, or null when the request has an unknown key or an invalid message. */
    byte @Nullable [] sign(TokenRequest request) {
        Listed key = find(request.type(), request.keyIdEnd());
        return key == null ? null : key.secret().sign(request.blinded());
    }

    /** Returns the directory as JSON (RFC 9578 section 4). */
    byte[] directory(String requestUri) {
        StringBuilder json = new StringBuilder("{\"issuer-request-uri\":\"" + requestUri + "\",\"token-keys\":[");
        String separator = "";
        for (TokenType type : types) {
            for (Listed key : keys) {
                if (key.of(type)) {
                    json.append(separator)
                            .append("{\"token-type\":" + type.value() + ",\"token-key\":\"")
                            .append(Base64Url.encode(key.published().encoded()))
                            .append("\",\"not-before\":")
                            .append(key.notBefore().getEpochSecond())
                            .append('}');
                    separator = ",";
                }
            }
        }
        return json.append("]}").toString().getBytes(UTF_8);
    }

    private @Nullable Listed find(TokenType type, byte keyIdEnd) {
        for (Listed key : keys) {
            if (key.of(type) && key.published().id().last() == keyIdEnd) {
                return key;
            }
        }
        return null;
    }
}
