package dev.postern.auth.key;

import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenType;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Directory that an issuer publishes: the address for token requests, and its keys in the order of preference (RFC 9578 section 4). Keys of
 * unknown types are left out. Parts that cannot be used are skipped, since each key stands for itself (docs/adr/0053).
 *
 * @param requestUri absolute or relative to the directory; empty if the directory has none that can be used
 * @param skipped parts of the directory that cannot be used
 */
public record IssuerDirectory(String requestUri, List<ListedKey> keys, List<Skipped> skipped) {

    public static final String MEDIA_TYPE = "application/private-token-issuer-directory";

    private static final int MAX_KEYS = 256;

    /** Length that every server should support (RFC 9110 section 4.1); bounds the time for resolving the URI. */
    private static final int LONGEST_URI = 8000;

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** Base URI that stands for any directory. */
    private static final URI ANY = URI.create("https://issuer.example/directory");

    /** Creates a directory without skipped parts. */
    public IssuerDirectory(String requestUri, List<ListedKey> keys) {
        this(requestUri, keys, List.of());
    }

    /**
     * Key listed in a directory.
     *
     * @param notBefore clients must not use the key before; {@link Instant#EPOCH} when the directory has no {@code not-before}
     */
    public record ListedKey(IssuerKey key, Instant notBefore) {}

    /**
     * Part of a directory that cannot be used.
     *
     * @param part such as {@code token-keys[3]}
     * @param reason what is wrong, and what was expected
     */
    public record Skipped(String part, String reason) {

        @Override
        public String toString() {
            return part + ": " + reason;
        }
    }

    /**
     * Reads the JSON text.
     *
     * @throws IllegalArgumentException stating what is wrong with the document as a whole
     */
    public static IssuerDirectory read(byte[] json) {
        DirectoryText text = new DirectoryText(json, MAX_KEYS);
        List<Skipped> skipped = new ArrayList<>();
        List<ListedKey> keys = keys(text, skipped);
        return new IssuerDirectory(address(text.requestUri(), skipped), keys, List.copyOf(skipped));
    }

    private static List<ListedKey> keys(DirectoryText text, List<Skipped> skipped) {
        Map<Bytes32, ListedKey> keys = new LinkedHashMap<>();
        for (int i = 0; i < text.entries().size(); i++) {
            try {
                ListedKey key = key(text.entries().get(i).read());
                if (key != null) {
                    keys.putIfAbsent(key.key().id(), key);
                }
            } catch (IllegalArgumentException e) {
                skipped.add(new Skipped("token-keys[" + i + "]", String.valueOf(e.getMessage())));
            }
        }
        if (text.listed() > MAX_KEYS) {
            skipped.add(new Skipped(
                    "token-keys",
                    text.listed() + " entries (expected: " + MAX_KEYS + " at most, others are not read)"));
        }
        return List.copyOf(keys.values());
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
        double number = typeNode.isNumber() ? typeNode.asDouble(Double.NaN) : Double.NaN;
        if (number != Math.rint(number)) {
            throw new IllegalArgumentException("token-type: " + typeNode.getNodeType() + " (expected: a whole number)");
        }
        TokenType type = TokenType.of((int) number);
        if (type == null) {
            return null;
        }
        JsonNode keyNode = node.path("token-key");
        if (!keyNode.isString()) {
            throw new IllegalArgumentException("token-key: " + keyNode.getNodeType() + " (expected: a string)");
        }
        return new ListedKey(
                IssuerKey.readListed(type, bytes(keyNode.asString())), NotBefore.read(node.path("not-before")));
    }

    /**
     * Decodes base64url or base64, with or without padding and line breaks. Some issuers omit the padding or use the other alphabet, which is
     * harmless here: a key is identified by its bytes.
     */
    static byte[] bytes(String text) {
        String trimmed =
                BLANKS.matcher(text.strip()).replaceAll("").replace('+', '-').replace('/', '_');
        byte[] bytes = Base64Url.decode(trimmed.endsWith("=") ? trimmed : trimmed + "=".repeat(-trimmed.length() & 3));
        if (bytes == null) {
            throw new IllegalArgumentException("token-key: " + text.length() + " characters (expected: base64url)");
        }
        return bytes;
    }

    private static String address(@Nullable String text, List<Skipped> skipped) {
        // An empty text is a valid reference, but would send token requests to the directory itself.
        if (text != null && !text.isEmpty() && text.length() <= LONGEST_URI && leadsToAServer(text)) {
            return text;
        }
        // Only the length is logged: the issuer controls the text.
        String found = text == null ? "no text" : text.length() + " characters";
        skipped.add(new Skipped(
                "issuer-request-uri",
                found + " (expected: an http or https address, absolute or relative to the directory)"));
        return "";
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

    /**
     * Time from which a listed key may be used, the field {@code not-before} of a directory: seconds since 1970 (RFC 9578 section 4). Drafts
     * before the RFC defined milliseconds; no number is in both ranges, because seconds that large are after the year 9999.
     */
    private static final class NotBefore {

        private static final double MILLIS = 1000;

        /** Last second of the year 9999. */
        private static final double LAST_SECOND = 253_402_300_799.0;

        private static final int SHOWN = 40;

        private NotBefore() {}

        /**
         * Reads the field; an absent or null one, and a time before 1970, permit the use of the key at once.
         *
         * @throws IllegalArgumentException stating what is wrong
         */
        static Instant read(JsonNode node) {
            if (node.isMissingNode() || node.isNull()) {
                return Instant.EPOCH;
            }
            double value = node.isNumber() ? node.asDouble(Double.NaN) : Double.NaN;
            if (value < 0) {
                return Instant.EPOCH;
            }
            if (value <= LAST_SECOND) {
                return Instant.ofEpochMilli((long) Math.ceil(value * MILLIS));
            }
            if (value <= LAST_SECOND * MILLIS) {
                return Instant.ofEpochMilli((long) value);
            }
            String found = node.isNumber()
                    ? shown(node.asString())
                    : node.getNodeType().toString();
            throw new IllegalArgumentException("not-before: " + found + " (expected: a number, seconds since 1970)");
        }

        private static String shown(String number) {
            return number.length() <= SHOWN ? number : number.length() + " characters";
        }
    }
}
