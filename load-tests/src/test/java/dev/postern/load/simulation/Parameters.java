package dev.postern.load.simulation;

import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads parameters of a simulation from system properties, and prints each one when it is read. */
final class Parameters {
    private Parameters() {}

    static String text(String name, String otherwise) {
        String value = System.getProperty(name, otherwise);
        System.out.println("  -D" + name + "=" + value + (value.equals(otherwise) ? "  (default)" : ""));
        return value;
    }

    static int number(String name, int otherwise) {
        String value = text(name, String.valueOf(otherwise));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: a whole number)", e);
        }
    }

    /** Reads one token a line, as {@code postern mint} writes them. */
    static List<String> tokens(String otherwise) {
        Path file = Path.of(text("tokenFile", otherwise));
        try {
            List<String> tokens = Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            System.out.println("  " + tokens.size() + " tokens in " + file);
            return tokens;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": not readable (expected: tokens from postern mint)", e);
        }
    }

    /** Returns feeder rows of these tokens; in a queue each is used once, and an empty queue ends the run with an error. */
    static List<Map<String, Object>> rows(List<String> tokens) {
        return tokens.stream()
                .map(token -> Map.<String, Object>of("token", token))
                .collect(Collectors.toList());
    }

    /** Creates the protocol to the gateway under load; Gatling neither fetches nor keeps anything by itself. */
    static HttpProtocolBuilder gateway() {
        return http.baseUrl(text("gateway.url", "http://127.0.0.1:8080"))
                .disableWarmUp()
                .disableCaching()
                .disableFollowRedirect()
                .userAgentHeader("postern-load-tests");
    }

    /** Returns the header value that redeems the token in the session. */
    static String authorization() {
        return "PrivateToken token=\"#{token}\"";
    }
}
