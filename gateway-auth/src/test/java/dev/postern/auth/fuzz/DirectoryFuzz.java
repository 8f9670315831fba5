package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerDirectory;
import dev.postern.auth.key.IssuerDirectory.ListedKey;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenChallenge;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fuzzes the parser of an issuer's directory (RFC 9578 section 4): a document is valid or refused with a reason; the result contains every
 * entry of a known type, in order, and nothing else.
 */
public final class DirectoryFuzz {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final URI PLACE = URI.create("http://localhost:8080/.well-known/private-token-issuer-directory");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private DirectoryFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a directory with a key was read. */
    static boolean accepts(byte[] input) {
        IssuerDirectory directory;
        try {
            directory = IssuerDirectory.read(input);
        } catch (IllegalArgumentException e) {
            FuzzCheck.requireReason(e.getMessage());
            return false;
        }
        FuzzCheck.hold(directory.keys().size() <= 256, "a bounded number of keys");
        FuzzCheck.hold(!directory.requestUri().isEmpty(), "somewhere to ask");
        FuzzCheck.hold(canBeAsked(directory.requestUri()), "an address that a request can be sent to");
        List<JsonNode> listed = known(JSON.readTree(input));
        FuzzCheck.hold(listed.size() == directory.keys().size(), "every entry of a known type");
        for (int i = 0; i < listed.size(); i++) {
            requireEqual(directory.keys().get(i), listed.get(i));
        }
        checkRoundTrip(directory);
        return !directory.keys().isEmpty();
    }

    private static boolean canBeAsked(String address) {
        try {
            return HttpRequest.newBuilder(PLACE.resolve(address)).build() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static List<JsonNode> known(JsonNode root) {
        List<JsonNode> known = new ArrayList<>();
        for (JsonNode entry : root.get("token-keys")) {
            int type = entry.get("token-type").intValue();
            if (type == 1 || type == 2) {
                known.add(entry);
            }
        }
        return known;
    }

    private static void requireEqual(ListedKey key, JsonNode entry) {
        byte[] bytes = Base64.getUrlDecoder()
                .decode(entry.get("token-key").stringValue().strip());
        FuzzCheck.hold(key.key().type().value() == entry.get("token-type").intValue(), "the type that was listed");
        FuzzCheck.hold(Arrays.equals(key.key().encoded(), bytes), "the key that was listed");
        FuzzCheck.hold(key.key().id().equals(TokenChallenge.sha256(bytes)), "the id of that key");
        FuzzCheck.hold(
                !key.notBefore().isBefore(Instant.EPOCH) && !key.notBefore().isAfter(LATEST), "a time of this age");
        JsonNode notBefore = entry.get("not-before");
        FuzzCheck.hold(
                (double) key.notBefore().getEpochSecond() == (notBefore == null ? 0 : notBefore.doubleValue()),
                "the time that was listed");
    }

    private static void checkRoundTrip(IssuerDirectory directory) {
        List<Map<String, Object>> keys = directory.keys().stream()
                .map(key -> Map.<String, Object>of(
                        "token-type", key.key().type().value(),
                        "token-key", Base64Url.encode(key.key().encoded()),
                        "not-before", key.notBefore().getEpochSecond()))
                .toList();
        IssuerDirectory again = IssuerDirectory.read(
                JSON.writeValueAsBytes(Map.of("issuer-request-uri", directory.requestUri(), "token-keys", keys)));
        FuzzCheck.hold(described(again).equals(described(directory)), "the directory there and back");
    }

    private static List<String> described(IssuerDirectory directory) {
        List<String> all = new ArrayList<>(List.of(directory.requestUri()));
        for (ListedKey key : directory.keys()) {
            all.add(key.key().type().value() + " " + key.key().id() + " " + key.notBefore());
        }
        return all;
    }
}
