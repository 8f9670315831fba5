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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fuzzes the parser of an issuer's directory (RFC 9578 section 4): a document is valid or refused with a reason; the result contains every
 * entry of a known type, in order, and nothing else.
 */
public final class DirectoryFuzz {

    /** Reads numbers of any length: the entry with one is skipped. */
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

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
        boolean addressed = !directory.requestUri().isEmpty();
        FuzzCheck.hold(addressed || skips(directory, "issuer-request-uri"), "somewhere to ask, or why not");
        FuzzCheck.hold(!addressed || canBeAsked(directory.requestUri()), "an address that a request can be sent to");
        directory.skipped().forEach(skipped -> FuzzCheck.requireReason(skipped.reason()));
        List<JsonNode> listed = known(JSON.readTree(input), directory);
        FuzzCheck.hold(listed.size() >= directory.keys().size(), "no key that was not listed");
        Set<String> ids = new HashSet<>();
        int next = 0;
        for (JsonNode entry : listed) {
            if (ids.add(id(entry))) {
                requireEqual(directory.keys().get(next++), entry);
            }
        }
        FuzzCheck.hold(next == directory.keys().size(), "every entry of a known type that was not skipped, once");
        if (addressed) {
            checkRoundTrip(directory);
        }
        return !directory.keys().isEmpty();
    }

    private static boolean canBeAsked(String address) {
        try {
            return HttpRequest.newBuilder(PLACE.resolve(address)).build() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean skips(IssuerDirectory directory, String part) {
        return directory.skipped().stream().anyMatch(skipped -> skipped.part().equals(part));
    }

    private static List<JsonNode> known(JsonNode root, IssuerDirectory directory) {
        List<JsonNode> known = new ArrayList<>();
        JsonNode entries = root.get("token-keys");
        for (int i = 0; i < Math.min(entries.size(), 256); i++) {
            if (!skips(directory, "token-keys[" + i + "]")) {
                double type = entries.get(i).get("token-type").doubleValue();
                if (type == 1 || type == 2) {
                    known.add(entries.get(i));
                }
            }
        }
        return known;
    }

    private static byte[] bytes(JsonNode entry) {
        String text = entry.get("token-key").stringValue().strip().replaceAll("\\s", "");
        return Base64.getUrlDecoder().decode(text.replace('+', '-').replace('/', '_'));
    }

    private static String id(JsonNode entry) {
        return TokenChallenge.sha256(bytes(entry)).toString();
    }

    private static void requireEqual(ListedKey key, JsonNode entry) {
        byte[] bytes = bytes(entry);
        FuzzCheck.hold(key.key().type().value() == entry.get("token-type").doubleValue(), "the type that was listed");
        FuzzCheck.hold(Arrays.equals(key.key().encoded(), bytes), "the key that was listed");
        FuzzCheck.hold(key.key().id().equals(TokenChallenge.sha256(bytes)), "the id of that key");
        FuzzCheck.hold(
                !key.notBefore().isBefore(Instant.EPOCH) && !key.notBefore().isAfter(LATEST), "a time of this age");
        JsonNode notBefore = entry.get("not-before");
        double listed = notBefore == null || notBefore.isNull() ? 0 : Math.max(0, notBefore.doubleValue());
        double seconds = listed > LATEST.getEpochSecond() ? listed / 1000 : listed;
        FuzzCheck.hold(Math.abs(key.notBefore().toEpochMilli() / 1000.0 - seconds) < 0.002, "the time that was listed");
    }

    private static void checkRoundTrip(IssuerDirectory directory) {
        List<Map<String, Object>> keys = directory.keys().stream()
                .map(key -> Map.<String, Object>of(
                        "token-type", key.key().type().value(),
                        "token-key", Base64Url.encode(key.key().encoded()),
                        "not-before", key.notBefore().toEpochMilli() / 1000.0))
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
