package dev.postern.core.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A chunked body as the grammar of RFC 9112 section 7.1 alone reads it, written apart from the gateway's own reader.
 *
 * @param data of all chunks
 * @param trailers {@code name: value} each
 * @param length bytes of the whole
 */
public record StrictChunks(String data, List<String> trailers, int length) {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final String QUOTED = "\"(?:[\t !#-\\[\\]-~]++|\\\\[\t -~])*+\"";
    private static final Pattern SIZE = Pattern.compile("([0-9A-Fa-f]{1,15})(?:;[\t ]*+" + TOKEN
            + "(?:[\t ]*+=[\t ]*+(?:" + TOKEN + "|" + QUOTED + "))?+(?:[\t ]++(?=;))?+)*+");

    /** Null when there is no whole body. */
    public static @Nullable StrictChunks read(String text) {
        StringBuilder data = new StringBuilder();
        int at = 0;
        while (true) {
            int end = text.indexOf("\r\n", at);
            Matcher line = SIZE.matcher(end < 0 ? "" : text.substring(at, end));
            if (!line.matches()) {
                return null;
            }
            long size = Long.parseLong(line.group(1), 16);
            at = end + 2;
            if (size == 0) {
                return trailers(text, at, data.toString());
            }
            if (size > text.length() - at || !text.startsWith("\r\n", at + (int) size)) {
                return null;
            }
            data.append(text, at, at + (int) size);
            at += (int) size + 2;
        }
    }

    private static @Nullable StrictChunks trailers(String text, int from, String data) {
        List<String> trailers = new ArrayList<>();
        for (int at = from; ; ) {
            int end = text.indexOf("\r\n", at);
            if (end == at) {
                return new StrictChunks(data, trailers, end + 2);
            }
            String field = end < 0 ? null : StrictHead.field(text.substring(at, end));
            if (field == null) {
                return null;
            }
            trailers.add(field);
            at = end + 2;
        }
    }
}
