package dev.postern.core.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Host pattern of another program: a host that the gateway does not serve as written, but whose meaning is known, such as {@code
 * .example.com} and {@code _} of nginx, {@code {sub}.example.com}, a regular expression, or a host with scheme or port.
 */
final class HostPattern {

    private static final Pattern QUOTED = Pattern.compile("[`\"']([^`\"']+)[`\"']");
    private static final Pattern LIST = Pattern.compile("(?s)[^({\\[]*[,|\\s].*[A-Za-z0-9].*");
    private static final Pattern MODIFIER = Pattern.compile("^(~\\*?|=|\\^)\\s*|^https?://");
    private static final Pattern PORT_AND_PATH = Pattern.compile("(?<![:(\\[\\\\])(:[0-9*]+)?(/.*)?\\$?$");
    /** Address range, for which no host stands. */
    private static final Pattern RANGE = Pattern.compile("[0-9a-fA-F.:]+/[0-9]{1,3}");

    private static final Pattern OPTIONAL = Pattern.compile("\\([^)]*\\)\\?");

    /** First label that stands for any name, and its dot. */
    private static final Pattern ANY = Pattern.compile(
            "(\\*+|[.][*+]|\\[[^\\]]*\\][*+]|\\{[^}]*\\}|:\\w+|<[^>]*>|\\([^)]*\\)|\\\\w[*+])?\\.(?=[^*?+{(\\[]+$)");

    private HostPattern() {}

    static @Nullable ForeignPattern find(String text) {
        String written = Spelling.host(text);
        if (text.equals("_")) {
            return ForeignPattern.problem("a host, or any; write *");
        }
        if (written.equals("0.0.0.0")) {
            return ForeignPattern.warning(
                    "0.0.0.0 stands for itself, since a host is what clients name; if it is any, write *");
        }
        if (Spelling.isName(written) && !text.startsWith("~")) {
            return null;
        }
        if (text.startsWith("!")) {
            return ForeignPattern.problem("no negation; write the hosts that are meant");
        }
        if (RANGE.matcher(text).matches()) {
            return null;
        }
        Matcher quoted = QUOTED.matcher(text);
        String host = quoted.find() ? quoted.group(1) : unmodified(text.strip());
        if (LIST.matcher(host).matches()) {
            return ForeignPattern.problem("one host, *.suffix or *; write each host by itself");
        }
        @Nullable String meant = meant(unmodified(host));
        return meant == null ? null : ForeignPattern.problem("a host, *.suffix or *, without a port; write " + meant);
    }

    /** Returns the text without the begin that says how other programs compare it. */
    private static String unmodified(String text) {
        String host = text;
        for (Matcher begin = MODIFIER.matcher(host); begin.find(); begin = MODIFIER.matcher(host)) {
            host = host.substring(begin.end());
        }
        return host;
    }

    private static @Nullable String meant(String text) {
        String host = text.contains("::") && !text.startsWith("[")
                ? "[" + text + "]"
                : PORT_AND_PATH.matcher(text).replaceFirst("");
        host = OPTIONAL.matcher(host.replace("\\.", ".").replace("\\-", "-")).replaceAll("");
        if (host.matches("\\*+|[.][*+]")) {
            return "*";
        }
        Matcher any = ANY.matcher(host);
        host = Spelling.host(any.lookingAt() ? "*." + host.substring(any.end()) : host);
        return Spelling.isName(host) ? host : null;
    }
}
