package dev.postern.core.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Path pattern of another program: finds the first character that is part of a pattern in globs (Ant, Caddy, Cloudflare), regular
 * expressions (nginx, Apache), parameters (Express, Spring, Next.js) or matchers (Traefik, HAProxy), and the prefix before it.
 *
 * <p>Characters that also stand for themselves are judged by their place: {@code /$metadata}, {@code /a:b}, {@code /:w:/r},
 * {@code /Products(1)}, {@code /@user} and {@code /~home} are ordinary paths.
 */
final class PathPattern {

    private static final char NONE = 0;
    private static final String QUANTIFIERS = "*+?{";

    /** Rest of a path that may be empty or begins a segment, so that the prefix ends where it begins. */
    private static final Pattern NEW_SEGMENT =
            Pattern.compile("(?s)([*?$|,\"'`)\\s]|\\.[*+]|\\((\\?:)?(\\.[*+]|[/|?$])|\\\\b).*");

    private static final Pattern PARAMETER =
            Pattern.compile("\\{[*A-Za-z_][^/]*\\}|:\\w+|<[^>]*>|\\[[^\\]]*\\]|\\\\\\w|\\w+://[^/]*");
    private static final Pattern COLON_PARAMETER = Pattern.compile(":[A-Za-z_]\\w*+([^:].*)?");
    private static final Pattern WORD = Pattern.compile("(?s).*\\w.*");

    private static final Pattern URL = Pattern.compile("/.*|https?://[^/@\\s]*(/[^@]*)?");

    private enum Reading {
        LITERAL,
        SUSPICIOUS,
        PATTERN
    }

    private final String text;
    private final StringBuilder prefix = new StringBuilder();
    private int at;
    private boolean escaped;
    private @Nullable String suspicious;

    private PathPattern(String text, int start) {
        this.text = text;
        this.at = start;
    }

    static @Nullable ForeignPattern find(String text) {
        if (text.isBlank() || text.contains("://") && !URL.matcher(text).matches()) {
            return null; // a URL may have a password, which a proposal would repeat
        }
        if (text.startsWith("!")) {
            return ForeignPattern.problem("no negation; write the paths that are meant");
        }
        int start = text.startsWith("/") ? 0 : start(text);
        PathPattern scan = new PathPattern(text, start);
        boolean whole = scan.scan();
        if (start == 0 && text.startsWith("/")) {
            return whole && !scan.escaped ? scan.warning() : ForeignPattern.problem(scan.expected());
        }
        boolean word = text.matches("[A-Za-z0-9][A-Za-z0-9._~/-]*");
        return ForeignPattern.problem(word ? "a path that starts with /; write " + scan.enclosing() : scan.expected());
    }

    /** Returns the offset of the path in a text that begins with something else, such as {@code ~ ^/api} or {@code PathPrefix(`/api`)}. */
    private static int start(String text) {
        int scheme = text.indexOf("://");
        int slash = text.indexOf('/', scheme < 0 ? 0 : scheme + 3);
        boolean word = slash > 0 && scheme < 0 && Character.isLetterOrDigit(text.charAt(slash - 1));
        return slash < 0 || word ? 0 : slash;
    }

    /** Reads up to the first character of a pattern; returns whether there is none. */
    private boolean scan() {
        if (at == text.length() || text.charAt(at) != '/') {
            prefix.append('/');
        }
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length() && !Character.isLetterOrDigit(text.charAt(at + 1))) {
                escaped = true;
                prefix.append(text.charAt(at + 1));
                at += 2;
                continue;
            }
            Reading reading = reading(c);
            if (reading == Reading.PATTERN) {
                return false;
            }
            if (reading == Reading.SUSPICIOUS && suspicious == null) {
                String what = c == '.' ? "..." : c == '[' ? "[" : Character.toString(c);
                suspicious =
                        what + " stands for itself, since a path is a prefix; if it is a pattern, write " + segments();
            }
            prefix.append(c);
            at++;
        }
        return true;
    }

    private char next(int distance) {
        return at + distance < text.length() ? text.charAt(at + distance) : NONE;
    }

    private char previous() {
        return prefix.isEmpty() ? NONE : prefix.charAt(prefix.length() - 1);
    }

    private boolean begins() {
        return previous() == '/';
    }

    private boolean ends(char after) {
        return after == NONE || after == '/';
    }

    private Reading reading(char c) {
        return switch (c) {
            case '{', '}', '<', '>', '?', '\\', '"', '`', ' ', '\t' -> Reading.PATTERN;
            case '*' -> star();
            case '+' -> pattern(previous() == '.' && !Character.isLetterOrDigit(next(1)));
            case '[' -> bracket();
            case '(' -> group();
            case ')' -> pattern(prefix.indexOf("(") < 0);
            case '|' -> next(1) == '/' ? Reading.PATTERN : Reading.SUSPICIOUS;
            case '^' -> begins() || prefix.isEmpty() ? Reading.PATTERN : Reading.SUSPICIOUS;
            case '$' -> dollar();
            case ':' ->
                pattern(begins() && COLON_PARAMETER.matcher(text.substring(at)).matches());
            case ',' -> pattern(next(1) == '/' || next(1) == ' ');
            case '%' -> pattern(next(1) == '{');
            case '\'' -> pattern(!text.startsWith("/") && text.indexOf('\'') < at);
            case '.' -> begins() && text.startsWith("...", at) && ends(next(3)) ? Reading.SUSPICIOUS : Reading.LITERAL;
            default -> Reading.LITERAL;
        };
    }

    private static Reading pattern(boolean is) {
        return is ? Reading.PATTERN : Reading.LITERAL;
    }

    private Reading star() {
        char after = next(1);
        boolean is = begins() || previous() == '.' || ends(after) || after == '*' || !text.startsWith("/");
        return is ? Reading.PATTERN : Reading.SUSPICIOUS;
    }

    private Reading dollar() {
        if (next(1) == NONE || !text.startsWith("/")) {
            return Reading.PATTERN;
        }
        return Character.isDigit(next(1)) ? Reading.SUSPICIOUS : Reading.LITERAL;
    }

    private Reading bracket() {
        int close = text.indexOf(']', at);
        if (close < 0) {
            return Reading.SUSPICIOUS;
        }
        String inside = text.substring(at + 1, close);
        char after = close + 1 < text.length() ? text.charAt(close + 1) : NONE;
        boolean is = inside.indexOf('-') > 0
                || inside.startsWith("^")
                || QUANTIFIERS.indexOf(after) >= 0
                || (begins() && (ends(after) || inside.startsWith("[")));
        return is ? Reading.PATTERN : Reading.SUSPICIOUS;
    }

    private Reading group() {
        int close = text.indexOf(')', at);
        if (close < 0) {
            return Reading.SUSPICIOUS;
        }
        char after = close + 1 < text.length() ? text.charAt(close + 1) : NONE;
        boolean is = text.substring(at + 1, close).matches("(?s).*([|*?\\\\\\[{]|\\.\\+).*")
                || QUANTIFIERS.indexOf(after) >= 0;
        return pattern(is);
    }

    private @Nullable ForeignPattern warning() {
        return suspicious == null ? null : ForeignPattern.warning(suspicious);
    }

    private String expected() {
        String rest = text.substring(at);
        boolean more = WORD.matcher(PARAMETER.matcher(rest).replaceAll("")).matches();
        return "no pattern, since a path is a prefix; write "
                + (more ? "each path by itself, or " + enclosing() + " for all below it" : enclosing());
    }

    /** Returns the longest prefix of whole segments before the pattern, or the whole path. */
    private String enclosing() {
        String rest = text.substring(at);
        boolean regex = (rest.startsWith("*") || rest.startsWith("+")) && previous() == '.';
        if (regex) {
            prefix.setLength(prefix.length() - 1);
        }
        boolean complete = rest.isEmpty() || regex || NEW_SEGMENT.matcher(rest).matches();
        String path = complete ? prefix.toString() : segments();
        return Spelling.path(path);
    }

    private String segments() {
        String before = prefix.substring(0, prefix.lastIndexOf("/") + 1);
        return before.length() > 1 ? before.substring(0, before.length() - 1) : "/";
    }
}
