package dev.postern.app.trace;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Collector that receives the spans.
 *
 * @param uri endpoint of OTLP over HTTP
 * @param fields of each request; may contain credentials
 * @param deadline maximum wait for a response
 */
public record Collector(URI uri, Map<String, String> fields, Duration deadline) {

    private static final String EXPECTED =
            "endpoint: other (expected: http:// or https://, a host and a path; credentials in headers-file)";

    public Collector {
        fields = Map.copyOf(fields);
    }

    /** Parses the endpoint. Throws {@link IllegalArgumentException} with the expected form, without the text, which may be secret. */
    public static URI uri(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean http = scheme.equals("http") || scheme.equals("https");
        boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        if (!http || uri.getHost() == null || !plain) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return uri;
    }

    /**
     * Reads fields from a file with one {@code Name: value} per line.
     *
     * @throws IllegalArgumentException with the number of the wrong line, but not its content
     */
    public static Map<String, String> fields(Path file) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (!line.isBlank()) {
                int colon = line.indexOf(':');
                String name = line.substring(0, Math.max(colon, 0)).strip();
                String value = line.substring(colon + 1).strip();
                if (!allowed(name, value) || fields.put(name, value) != null) {
                    throw new IllegalArgumentException(
                            "line " + number + " (expected: Name: value, each name once, none that frames a message)");
                }
            }
        }
        return fields;
    }

    /** Returns whether the field may be set. The JDK's client rejects fields that it writes itself. */
    private static boolean allowed(String name, String value) {
        try {
            HttpRequest.newBuilder().header(name, value);
            return !value.isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the URI without the fields, which are secret. */
    @Override
    public String toString() {
        return uri.toString();
    }
}
