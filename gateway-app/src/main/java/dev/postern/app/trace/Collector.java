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
 * Where spans go.
 *
 * @param uri speaks OTLP over HTTP
 * @param fields for each request; may hold credentials
 * @param deadline longest wait for a response
 */
public record Collector(URI uri, Map<String, String> fields, Duration deadline) {

    private static final String EXPECTED =
            "endpoint: other (expected: http:// or https://, a host and a path; credentials in headers-file)";

    public Collector {
        fields = Map.copyOf(fields);
    }

    /** The address as users write it; throws {@link IllegalArgumentException} with what is expected, without showing what may be secret. */
    public static URI uri(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean spoken = scheme.equals("http") || scheme.equals("https");
        boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        if (!spoken || uri.getHost() == null || !plain) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return uri;
    }

    /**
     * Reads fields, {@code Name: value} a line.
     *
     * @throws IllegalArgumentException saying which line is wrong, without showing it
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

    /** The client of the JDK knows which ones it writes itself. */
    private static boolean allowed(String name, String value) {
        try {
            HttpRequest.newBuilder().header(name, value);
            return !value.isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Without the fields, which nobody is to see. */
    @Override
    public String toString() {
        return uri.toString();
    }
}
