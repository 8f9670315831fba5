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
 * The grammar of RFC 9110 section 11 a second time, in regular expressions and with the platform's base64, for targets to compare with.
 * Repetitions are possessive: nothing is read in two ways, and no input makes the stack grow.
 */
final class HeaderGrammar {

    /** As many as our reader takes. */
    private static final int MAX_PARAMS = 32;

    private static final String TCHAR = "!#$%&'*+.^_`|~0-9A-Za-z-";
    private static final String TOKEN = "[" + TCHAR + "]++";
    private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*+\"";
    private static final String OWS = "[\\t ]*+";
    /** Padding behind a bare value is not the RFC's, but is sent. */
    private static final String BARE = TOKEN + "=?+=?+";

    private static final String PARAM = "(" + TOKEN + ")" + OWS + "=" + OWS + "(" + BARE + "|" + QUOTED + ")";

    private static final Pattern SCHEME = Pattern.compile(TOKEN);
    private static final Pattern EACH_PARAM = Pattern.compile(PARAM);
    private static final Pattern ALL_PARAMS =
            Pattern.compile(" ++" + OWS + "(?:" + PARAM + ")?+(?:" + OWS + "," + OWS + "(?:" + PARAM + ")?+)*+" + OWS);

    private static final Pattern SEPARATORS = Pattern.compile("[\\t ,]*+");
    private static final String MORE_PARAMS = PARAM + "(?:" + OWS + ",[\\t ,]*+" + PARAM + ")*+";
    /** What older schemes have instead of parameters, read generously: nobody here looks at it. */
    private static final String OPAQUE = "[/" + TCHAR + "]*+=*+";

    private static final String END = OWS + "(?:,|$)";
    private static final Pattern REST = Pattern.compile(" ++" + MORE_PARAMS + END + "| ++" + OPAQUE + END + "|" + END);

    private HeaderGrammar() {}

    /** Whether the text begins with a scheme that ends where schemes end, whichever it is. */
    static @Nullable String scheme(String text) {
        Matcher scheme = SCHEME.matcher(text);
        return scheme.lookingAt() ? scheme.group().toLowerCase(Locale.ROOT) : null;
    }

    /** The parameters of one credential behind its scheme, by names in lower case; null when they are broken. */
    static @Nullable Map<String, String> params(String behindScheme) {
        return ALL_PARAMS.matcher(behindScheme).matches() ? distinct(behindScheme, MAX_PARAMS) : null;
    }

    /** The PrivateToken challenges of a field, as parameters each; null when the field is broken. */
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

    /** The bytes of padded base64url in its one spelling, or null. */
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

    private static @Nullable Map<String, String> distinct(String list, int most) {
        Map<String, String> params = new LinkedHashMap<>();
        Matcher each = EACH_PARAM.matcher(list);
        while (each.find()) {
            String value = each.group(2);
            String plain = value.startsWith("\"")
                    ? value.substring(1, value.length() - 1).replaceAll("(?s)\\\\(.)", "$1")
                    : value;
            if (params.put(each.group(1).toLowerCase(Locale.ROOT), plain) != null || params.size() > most) {
                return null;
            }
        }
        return params;
    }
}
