package dev.postern.core.headers;

import dev.postern.core.http.Authority;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reader for the value of Forwarded by its grammar (RFC 7239 sections 4 and 6): elements between commas, pairs between semicolons, values
 * as tokens or quoted. Throws {@link HttpParseException} for a malformed value. One reader per value.
 */
final class ForwardedReader {

    private static final Pattern HIDDEN = Pattern.compile("(unknown|_[A-Za-z0-9._-]+)(:.*)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,31}");

    private final String text;
    private int offset;

    private ForwardedReader(String text) {
        this.text = text;
    }

    /** Returns the elements from left to right: the nearest proxy wrote the last one. */
    static List<ForwardedElement> read(String value) {
        return new ForwardedReader(value).elements();
    }

    private List<ForwardedElement> elements() {
        List<ForwardedElement> elements = new ArrayList<>();
        do {
            Map<String, String> pairs = pairs();
            if (!pairs.isEmpty()) {
                elements.add(element(pairs));
            }
        } while (next(','));
        if (offset < text.length()) {
            throw malformed();
        }
        return elements;
    }

    private Map<String, String> pairs() {
        Map<String, String> pairs = new HashMap<>();
        do {
            blanks();
            int start = offset;
            String name = token().toLowerCase(Locale.ROOT);
            if (offset > start && (!next('=') || pairs.put(name, value()) != null)) {
                throw malformed();
            }
            blanks();
        } while (next(';'));
        return pairs;
    }

    private String value() {
        String value = next('"') ? quoted() : unquoted();
        if (value.isEmpty()) {
            throw malformed();
        }
        return value;
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        while (!next('"')) {
            next('\\');
            if (offset == text.length()) {
                throw malformed();
            }
            value.append(text.charAt(offset++));
        }
        return value.toString();
    }

    /** Reads a token, or an address with colons and brackets that a proxy did not quote: some write IPv6 addresses so. */
    private String unquoted() {
        int start = offset;
        do {
            token();
        } while (next(':') || next('[') || next(']'));
        return text.substring(start, offset);
    }

    private String token() {
        int start = offset;
        while (offset < text.length() && text.charAt(offset) < 0x80 && HttpChars.token((byte) text.charAt(offset))) {
            offset++;
        }
        return text.substring(start, offset);
    }

    private void blanks() {
        while (next(' ') || next('\t')) {
            // skips all blanks
        }
    }

    private boolean next(char wanted) {
        boolean there = offset < text.length() && text.charAt(offset) == wanted;
        offset += there ? 1 : 0;
        return there;
    }

    private static ForwardedElement element(Map<String, String> pairs) {
        String scheme = pairs.getOrDefault("proto", "");
        if (!scheme.isEmpty() && !SCHEME.matcher(scheme).matches()) {
            throw malformed();
        }
        @Nullable String node = pairs.get("for");
        return new ForwardedElement(
                node == null ? null : node(node),
                Authority.parse(pairs.getOrDefault("host", ""), true),
                scheme.toLowerCase(Locale.ROOT));
    }

    /** Returns the address of a node (section 6), which may have a port; null for an obfuscated or unknown node. */
    private static @Nullable InetAddress node(String node) {
        if (HIDDEN.matcher(node).matches()) {
            return null;
        }
        InetAddress address = NodeIdentifier.address(node);
        if (address == null) {
            throw malformed();
        }
        return address;
    }

    private static HttpParseException malformed() {
        return HttpParseException.malformed("Forwarded");
    }
}
