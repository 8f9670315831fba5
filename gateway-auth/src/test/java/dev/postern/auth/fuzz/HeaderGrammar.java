package dev.postern.auth.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Grammar of RFC 9110 section 11 in regular expressions, with the JDK's base64, as reference for targets. Quantifiers are possessive: each
 * text has one reading, and no input exhausts the stack.
 */
final class HeaderGrammar {

    /** The limit of the gateway's parser. */
    private static final int MAX_PARAMS = 32;

    private static final String TCHAR = "!#$%&'*+.^_`|~0-9A-Za-z-";
    private static final String TOKEN = "[" + TCHAR + "]++";
    private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*+\"";
    private static final String OWS = "[\\t ]*+";
    /** Unquoted padding is not in the RFC, but is used by clients. */
    private static final String BARE = TOKEN + "=?+=?+";

    private static final String PARAM = "(" + TOKEN + ")" + OWS + "=" + OWS + "(" + BARE + "|" + QUOTED + ")";

    private static final Pattern SCHEME = Pattern.compile(TOKEN);
    private static final Pattern EACH_PARAM = Pattern.compile(PARAM);
    private static final Pattern ALL_PARAMS =
            Pattern.compile(" ++" + OWS + "(?:" + PARAM + ")?+(?:" + OWS + "," + OWS + "(?:" + PARAM + ")?+)*+" + OWS);

    private static final Pattern SEPARATORS = Pattern.compile("[\\t ,]*+");
    private static final String MORE_PARAMS = PARAM + "(?:" + OWS + ",[\\t ,]*+" + PARAM + ")*+";
    /** The parameters of older schemes, permissive, since they are ignored. */
    private static final String OPAQUE = "[/" + TCHAR + "]*+=*+";

    private static final String END = OWS + "(?:,|$)";
    private static final Pattern REST = Pattern.compile(" ++" + MORE_PARAMS + END + "| ++" + OPAQUE + END + "|" + END);

    private HeaderGrammar() {}

    /** Returns the scheme at the start of the text, known or not; null when there is none. */
    static @Nullable String scheme(String text) {
        Matcher scheme = SCHEME.matcher(text);
        return scheme.lookingAt() ? scheme.group().toLowerCase(Locale.ROOT) : null;
    }

    /** Returns the parameters of one credential after its scheme, by names in lower case; null when they are invalid. */
    static @Nullable Map<String, String> params(String behindScheme) {
        return ALL_PARAMS.matcher(behindScheme).matches() ? distinct(behindScheme, MAX_PARAMS) : null;
    }

    /** Returns the parameters of the PrivateToken challenges of a field; null when the field is invalid. */
    static @Nullable List<Map<String, String>> challenges(String text) {
        List<Map<String, String>> found = new ArrayList<>();
        Matcher matcher = SEPARATORS.matcher(text);
        int offset = end(matcher, SEPARATORS, 0);
        while (offset < text.length()) {
            int behindScheme = end(matcher, SCHEME, offset);
            int next = behindScheme < 0 ? -1 : end(matcher, REST, behindScheme);
            if (next < 0) {
                return null;
            }
            Map<String, String> params =
                    distinct(matcher.group(1) == null ? "" : text.substring(behindScheme, next), MAX_PARAMS);
            if (params == null) {
                return null;
            }
            if (text.substring(offset, behindScheme).equalsIgnoreCase("privatetoken")) {
                found.add(params);
            }
            offset = end(matcher, SEPARATORS, next);
        }
        return found;
    }

    /** Decodes canonical padded base64url; null when it is invalid. */
    static byte @Nullable [] base64(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return Base64.getUrlEncoder().encodeToString(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static boolean same(byte @Nullable [] a, byte @Nullable [] b) {
        return Arrays.equals(a, b);
    }

    private static int end(Matcher matcher, Pattern pattern, int from) {
        matcher.usePattern(pattern).region(from, matcher.regionEnd());
        return matcher.lookingAt() ? matcher.end() : -1;
    }

    private static @Nullable Map<String, String> distinct(String list, int max) {
        Map<String, String> params = new LinkedHashMap<>();
        Matcher each = EACH_PARAM.matcher(list);
        while (each.find()) {
            String value = each.group(2);
            String plain = value.startsWith("\"")
                    ? value.substring(1, value.length() - 1).replaceAll("(?s)\\\\(.)", "$1")
                    : value;
            if (params.put(each.group(1).toLowerCase(Locale.ROOT), plain) != null || params.size() > max) {
                return null;
            }
        }
        return params;
    }
}
