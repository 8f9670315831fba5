package dev.postern.auth.token;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Credential list: credentials of several schemes in one field value. RFC 9110 section 11.6.2 does not allow lists, but some proxies join
 * repeated fields by commas, and some servers search for their scheme anywhere in the value.
 */
public final class CredentialList {

    /** Start of credentials, as opposed to one more parameter: a scheme, alone or followed by anything but an equals sign. */
    private static final Pattern SCHEME =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]+[^= \t].*)?", Pattern.DOTALL);

    private CredentialList() {}

    /** Returns the value without its {@code PrivateToken} credentials, well-formed or not; empty when nothing is left. */
    public static String withoutTokens(String value) {
        List<String> left = new ArrayList<>();
        boolean token = false;
        for (String part : parts(value)) {
            Matcher scheme = SCHEME.matcher(part);
            if (scheme.matches()) {
                token = scheme.group(1).equalsIgnoreCase("PrivateToken");
            }
            if (!token && !part.isEmpty()) {
                left.add(part);
            }
        }
        return String.join(", ", left);
    }

    /** Returns the parts between commas outside of quotes. */
    private static List<String> parts(String value) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            } else if (c == ',' && !quoted) {
                parts.add(value.substring(start, i).strip());
                start = i + 1;
            }
        }
        parts.add(value.substring(start).strip());
        return parts;
    }
}
