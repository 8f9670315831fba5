package dev.postern.auth.key;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Text of a directory, in which the entries of {@code token-keys} are found before they are read: an entry that the strict reader refuses, for
 * example with a name twice or a number of thousands of digits, does not make the others unreadable. A plain object for one document.
 */
final class DirectoryText {

    /** Passes over numbers and names of any length, which are not converted; the size of a document is bounded. */
    private static final JsonMapper LENIENT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final byte[] json;
    private final int maxEntries;
    private final List<Entry> entries = new ArrayList<>();
    private int listed = -1;
    private @Nullable String requestUri;

    /**
     * Finds the members of the document.
     *
     * @param maxEntries number of entries that are kept
     * @throws IllegalArgumentException stating what is wrong with the document as a whole
     */
    DirectoryText(byte[] json, int maxEntries) {
        this.json = json;
        this.maxEntries = maxEntries;
        try (JsonParser parser = LENIENT.createParser(json)) {
            read(parser);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("directory: not JSON (expected: an object)", e);
        }
        if (listed < 0) {
            throw new IllegalArgumentException("directory: no array token-keys (expected: an object with one)");
        }
    }

    /** Entry of {@code token-keys}, from its brace on; without bytes if it is no object. */
    final class Entry {

        private final int start;
        private final int end;

        private Entry(int start, int end) {
            this.start = start;
            this.end = end;
        }

        /** @throws IllegalArgumentException when the entry cannot be read */
        JsonNode read() {
            if (start == end) {
                return MissingNode.getInstance();
            }
            try {
                return STRICT.readTree(json, start, end - start);
            } catch (JacksonException e) {
                throw new IllegalArgumentException(
                        "entry: " + (end - start) + " bytes (expected: each name once, numbers of 1000 digits at most)",
                        e);
            }
        }
    }

    /** Returns the first entries. */
    List<Entry> entries() {
        return entries;
    }

    /** Returns the number of all entries. */
    int listed() {
        return listed;
    }

    /** Returns {@code issuer-request-uri}; null if it is absent or no string. */
    @Nullable
    String requestUri() {
        return requestUri;
    }

    private void read(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return;
        }
        if (parser.currentTokenLocation().getByteOffset() < 0) {
            throw new IllegalArgumentException("directory: another encoding (expected: UTF-8)");
        }
        Set<String> names = new HashSet<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (!names.add(name)) {
                throw new IllegalArgumentException("directory: a name twice (expected: each once)");
            }
            member(name, parser.nextToken(), parser);
        }
        if (parser.nextToken() != null) {
            throw new IllegalArgumentException("directory: more than one value (expected: an object)");
        }
    }

    private void member(String name, JsonToken value, JsonParser parser) {
        if (name.equals("token-keys") && value == JsonToken.START_ARRAY) {
            find(parser);
        } else if (name.equals("issuer-request-uri") && value == JsonToken.VALUE_STRING) {
            requestUri = parser.getString();
        } else {
            parser.skipChildren();
        }
    }

    private void find(JsonParser parser) {
        listed = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            int start = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            int end = token == JsonToken.START_OBJECT
                    ? (int) parser.currentLocation().getByteOffset()
                    : start;
            if (listed < maxEntries) {
                entries.add(new Entry(start, end));
            }
            listed++;
        }
    }
}
