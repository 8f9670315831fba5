package dev.postern.core.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a chunked body by the grammar of RFC 9112 section 7.1, independently of the gateway's parser.
 *
 * @param data of all chunks
 * @param trailers {@code name: value} each
 * @param length of the body in bytes
 */
public record StrictChunks(String data, List<String> trailers, int length) {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final String QUOTED = "\"(?:[\t !#-\\[\\]-~]++|\\\\[\t -~])*+\"";
    private static final Pattern SIZE = Pattern.compile("([0-9A-Fa-f]{1,15})(?:;[\t ]*+" + TOKEN
            + "(?:[\t ]*+=[\t ]*+(?:" + TOKEN + "|" + QUOTED + "))?+(?:[\t ]++(?=;))?+)*+");

    /** In responses: padded sizes, and any text whose quoted strings end within the line. */
    private static final Pattern PADDED = Pattern.compile(
            "(?=[0-9A-Fa-f]{1,32}(?![0-9A-Fa-f]))0*+([0-9A-Fa-f]{0,15})[\t ]*+(?:;(?:[\t !#-~]|" + QUOTED + ")*+)?+");

    /** Returns null when the body of a request is incomplete or invalid. */
    public static @Nullable StrictChunks read(String text) {
        return read(text, SIZE);
    }

    /** Returns null when the body of a response is incomplete or invalid. */
    public static @Nullable StrictChunks readResponse(String text) {
        return read(text, PADDED);
    }

    private static @Nullable StrictChunks read(String text, Pattern size) {
        StringBuilder data = new StringBuilder();
        int offset = 0;
        while (true) {
            int end = text.indexOf("\r\n", offset);
            Matcher line = size.matcher(end < 0 ? "" : text.substring(offset, end));
            if (!line.matches()) {
                return null;
            }
            long bytes = Long.parseLong("0" + line.group(1), 16);
            offset = end + 2;
            if (bytes == 0) {
                return trailers(text, offset, data.toString());
            }
            if (bytes > text.length() - offset || !text.startsWith("\r\n", offset + (int) bytes)) {
                return null;
            }
            data.append(text, offset, offset + (int) bytes);
            offset += (int) bytes + 2;
        }
    }

    private static @Nullable StrictChunks trailers(String text, int from, String data) {
        List<String> trailers = new ArrayList<>();
        for (int offset = from; ; ) {
            int end = text.indexOf("\r\n", offset);
            if (end == offset) {
                return new StrictChunks(data, trailers, end + 2);
            }
            String field = end < 0 ? null : StrictHead.field(text.substring(offset, end));
            if (field == null) {
                return null;
            }
            trailers.add(field);
            offset = end + 2;
        }
    }
}
