package dev.postern.auth.key;

import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenType;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Directory that an issuer publishes: the address for token requests, and its keys in the order of preference (RFC 9578 section 4). Keys of
 * unknown types are left out.
 *
 * @param requestUri absolute or relative to the directory
 */
public record IssuerDirectory(String requestUri, List<ListedKey> keys) {

    public static final String MEDIA_TYPE = "application/private-token-issuer-directory";

    private static final int MAX_KEYS = 256;

    /** Length that every server should support (RFC 9110 section 4.1); bounds the time for resolving the URI. */
    private static final int LONGEST_URI = 8000;

    /** Base URI that stands for any directory. */
    private static final URI ANY = URI.create("https://issuer.example/directory");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * Key listed in a directory.
     *
     * @param notBefore clients must not use the key before; {@link Instant#EPOCH} when the directory has no {@code not-before}
     */
    public record ListedKey(IssuerKey key, Instant notBefore) {}

    /**
     * Reads the JSON text.
     *
     * @throws IllegalArgumentException stating what is wrong; one bad key invalidates the whole directory, since its other content cannot
     *     be trusted either
     */
    public static IssuerDirectory read(byte[] json) {
        JsonNode root;
        try {
            root = JSON.readTree(json);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("directory: not JSON (expected: an object)", e);
        }
        JsonNode uri = root.path("issuer-request-uri");
        JsonNode listed = root.path("token-keys");
        if (!root.isObject() || !uri.isString() || !listed.isArray() || listed.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "directory: " + root.getNodeType() + " (expected: issuer-request-uri and up to 256 token-keys)");
        }
        List<ListedKey> keys = new ArrayList<>();
        for (JsonNode node : listed) {
            ListedKey key = key(node);
            if (key != null) {
                keys.add(key);
            }
        }
        return new IssuerDirectory(address(uri.asString()), List.copyOf(keys));
    }

    /** Returns the key for token requests: the first of that type whose not-before time has passed; null if there is none. */
    public @Nullable IssuerKey preferred(TokenType type, Instant now) {
        for (ListedKey listed : keys) {
            if (listed.key().type().equals(type) && !listed.notBefore().isAfter(now)) {
                return listed.key();
            }
        }
        return null;
    }

    private static @Nullable ListedKey key(JsonNode node) {
        JsonNode typeNode = node.path("token-type");
        JsonNode keyNode = node.path("token-key");
        JsonNode notBefore = node.path("not-before");
        boolean dated = !notBefore.isMissingNode();
        if (!typeNode.isInt() || !keyNode.isString() || dated && !notBefore.canConvertToLong()) {
            throw new IllegalArgumentException(
                    "token-keys: entry of other shape (expected: token-type, token-key and perhaps not-before)");
        }
        TokenType type = TokenType.of(typeNode.asInt());
        if (type == null) {
            return null;
        }
        IssuerKey key = IssuerKey.read(type, bytes(keyNode.asString()));
        return new ListedKey(key, dated ? instant(notBefore.asLong()) : Instant.EPOCH);
    }

    /**
     * Decodes base64url with or without padding. Some issuers omit the padding, which is harmless here: a key is identified by its bytes.
     */
    static byte[] bytes(String text) {
        String trimmed = text.strip();
        byte[] bytes = Base64Url.decode(trimmed.endsWith("=") ? trimmed : trimmed + "=".repeat(-trimmed.length() & 3));
        if (bytes == null) {
            throw new IllegalArgumentException("token-key: " + text.length() + " characters (expected: base64url)");
        }
        return bytes;
    }

    private static String address(String text) {
        if (text.isEmpty() || text.length() > LONGEST_URI || !leadsToAServer(text)) {
            // Only the length is logged: the issuer controls the text. An empty text is a valid reference, but would
            // send token requests to the directory itself.
            throw new IllegalArgumentException("issuer-request-uri: " + text.length()
                    + " characters (expected: an http or https address, absolute or relative to the directory)");
        }
        return text;
    }

    private static boolean leadsToAServer(String text) {
        try {
            URI resolved = ANY.resolve(text);
            return resolved.getHost() != null
                    && resolved.getScheme().toLowerCase(Locale.ROOT).matches("https?");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Instant instant(long seconds) {
        if (seconds < 0 || seconds > 253402300799L) {
            throw new IllegalArgumentException("not-before: " + seconds + " (expected: seconds since 1970)");
        }
        return Instant.ofEpochSecond(seconds);
    }
}
