package dev.postern.app.socket;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Head of a request or of a response.
 *
 * @param text first line and fields, up to and including the empty line
 */
public record Http1Head(String text) {

    private static final int STATUS = "HTTP/1.1 ".length();

    /** Returns the status of a response. */
    public int status() throws IOException {
        if (text.startsWith("HTTP/1.") && text.length() > STATUS + 3) {
            String status = text.substring(STATUS, STATUS + 3);
            if (status.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Integer.parseInt(status);
            }
        }
        throw new IOException("response: " + firstLine() + " (expected: a status line of HTTP/1)");
    }

    /** Returns the request line or the status line. */
    public String firstLine() {
        return text.substring(0, text.indexOf('\n')).stripTrailing();
    }

    /** Returns a word of the first line: word 0 of a request is its method, word 1 its target; empty if there are fewer. */
    public String word(int index) {
        String[] words = firstLine().split(" ", 3);
        return index < words.length ? words[index] : "";
    }

    /** Returns the values of all fields with the name, in their order. */
    public List<String> values(String name) {
        List<String> values = new ArrayList<>(1);
        for (int line = next(0); line > 0; line = next(line)) {
            int colon = line + name.length();
            if (text.regionMatches(true, line, name, 0, name.length()) && text.charAt(colon) == ':') {
                values.add(text.substring(colon + 1, text.indexOf('\n', colon)).strip());
            }
        }
        return values;
    }

    /** Returns the index of the line after the one at the index; 0 at the end. */
    private int next(int line) {
        int next = text.indexOf('\n', line) + 1;
        return next == text.length() ? 0 : next;
    }

    /** Returns the first value of the field; empty if there is none. */
    public String field(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? "" : values.get(0);
    }

    /** Returns all fields, by lower-case names. */
    public Map<String, List<String>> fields() {
        Map<String, List<String>> fields = new HashMap<>();
        for (int line = next(0); line > 0; line = next(line)) {
            int colon = text.indexOf(':', line);
            int end = text.indexOf('\n', line);
            if (colon > line && colon < end) {
                fields.computeIfAbsent(text.substring(line, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(text.substring(colon + 1, end).strip());
            }
        }
        return fields;
    }

    /** Returns the length of the body by Content-Length; 0 without the field. */
    long length() {
        String length = field("content-length");
        return length.isEmpty() ? 0 : Long.parseLong(length);
    }

    boolean chunked() {
        return field("transfer-encoding").equalsIgnoreCase("chunked");
    }

    /** Returns whether this is the last message that its sender expects on the connection. */
    boolean last() {
        return firstLine().endsWith("HTTP/1.0")
                || field("connection").toLowerCase(Locale.ROOT).contains("close");
    }
}
