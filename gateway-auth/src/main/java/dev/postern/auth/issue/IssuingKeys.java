package dev.postern.auth.issue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Base64Url;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The keys of an issuer, newest first, and the directory that lists them. Thread-safe. */
final class IssuingKeys {

    private final InstantSource clock;
    private final List<Pair> pairs = new CopyOnWriteArrayList<>();

    private record Pair(RsaKey published, RsaPrivate secret, Instant notBefore) {}

    IssuingKeys(InstantSource clock) {
        this.clock = clock;
        rotate(Duration.ZERO);
    }

    synchronized RsaKey rotate(Duration wait) {
        Pair made;
        do {
            RsaPrivate secret = RsaPrivate.generate();
            made = new Pair(
                    RsaKey.of(secret.publicKey().getModulus()),
                    secret,
                    clock.instant().plus(wait));
            // Requests name their key by one byte of its id only.
        } while (find(made.published().id().last()) != null);
        pairs.add(0, made);
        return made.published();
    }

    synchronized void retireOld() {
        while (pairs.size() > 1) {
            pairs.remove(pairs.size() - 1);
        }
    }

    /** The first whose time has come: the one that clients use. */
    RsaKey current() {
        Instant now = clock.instant();
        for (Pair pair : pairs) {
            if (!pair.notBefore().isAfter(now)) {
                return pair.published();
            }
        }
        return pairs.get(0).published();
    }

    /** The blind signature, or null when the request names no key of ours or is no number below its modulus. */
    byte @Nullable [] sign(TokenRequest request) {
        Pair pair = find(request.keyIdEnd());
        if (pair == null || !pair.published().above(request.blinded(), 0)) {
            return null;
        }
        return pair.secret().sign(request.blinded());
    }

    /** The directory as JSON (RFC 9578 section 4). */
    byte[] directory(String requestUri) {
        StringBuilder json = new StringBuilder("{\"issuer-request-uri\":\"" + requestUri + "\",\"token-keys\":[");
        String separator = "";
        for (Pair pair : pairs) {
            json.append(separator)
                    .append("{\"token-type\":2,\"token-key\":\"")
                    .append(Base64Url.encode(pair.published().encoded()))
                    .append("\",\"not-before\":")
                    .append(pair.notBefore().getEpochSecond())
                    .append('}');
            separator = ",";
        }
        return json.append("]}").toString().getBytes(UTF_8);
    }

    private @Nullable Pair find(byte keyIdEnd) {
        for (Pair pair : pairs) {
            if (pair.published().id().last() == keyIdEnd) {
                return pair;
            }
        }
        return null;
    }
}
