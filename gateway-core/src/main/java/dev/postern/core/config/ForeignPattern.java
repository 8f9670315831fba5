package dev.postern.core.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Foreign pattern: a value that other programs read as a pattern and the gateway reads literally, such as {@code /admin/**} of Ant, {@code
 * ~ ^/api} of nginx or {@code /users/:id} of Express. Taken literally, a rule for it would hardly ever apply, which nobody notices where the
 * rule is a protection. A plain rule; the text says how the gateway spells what is meant.
 *
 * @param text the expectation for a problem; for a warning what the gateway reads
 */
public record ForeignPattern(Severity severity, String text) {

    /** Severity of a finding. */
    public enum Severity {
        /** The literal reading is hardly ever meant. */
        PROBLEM,
        /** The literal reading is legal and possible, but unusual. */
        WARNING
    }

    /** Returns the finding about a path prefix; null for an ordinary one. */
    public static @Nullable ForeignPattern ofPath(String path) {
        return PathPattern.find(path);
    }

    /** Returns the finding about a rewrite of a route with that path; null for an ordinary one. */
    public static @Nullable ForeignPattern ofRewrite(String rewrite, String path) {
        return RewritePattern.find(rewrite, path);
    }

    /** Returns the finding about a host, {@code *.suffix} or {@code *}; null for an ordinary one. */
    public static @Nullable ForeignPattern ofHost(String host) {
        return HostPattern.find(host);
    }

    /** Returns the finding about a template, such as the value of a field; null for an ordinary one. */
    public static @Nullable ForeignPattern ofTemplate(String template) {
        return VariablePattern.find(template);
    }

    /** Returns the finding about any text, which may be a template of Helm, Ansible or another engine that nothing filled in; null for none. */
    public static @Nullable ForeignPattern ofUnfilled(String text) {
        return VariablePattern.doubleBraces(text);
    }

    /** Returns the finding about the name of a field; null for an ordinary one. */
    public static @Nullable ForeignPattern ofFieldName(String name) {
        if (name.startsWith("$http_")) { // of nginx; names such as $WSRA exist
            return problem("the name of a field; write "
                    + name.substring("$http_".length()).replace('_', '-'));
        }
        boolean pattern = name.indexOf('*') >= 0 || name.indexOf('|') >= 0 || name.startsWith("^");
        return pattern ? problem("no pattern, but the name of one field; write each name by itself") : null;
    }

    /** Returns whether the value has to be refused. */
    public static boolean isProblem(@Nullable ForeignPattern found) {
        return found != null && found.severity() == Severity.PROBLEM;
    }

    static ForeignPattern problem(String text) {
        return new ForeignPattern(Severity.PROBLEM, text);
    }

    static ForeignPattern warning(String text) {
        return new ForeignPattern(Severity.WARNING, text);
    }

    /** Variable of another program in a template, such as {@code $remote_addr} of nginx or {@code %[src]} of HAProxy. */
    private static final class VariablePattern {

        /** The variables of nginx that the gateway has a placeholder for. */
        private static final Map<String, String> NGINX = Map.of(
                "remote_addr", "{client-address}",
                "host", "{host}",
                "http_host", "{host}",
                "server_name", "{host}",
                "scheme", "{scheme}",
                "request_uri", "{path}{query}",
                "uri", "{path}",
                "args", "{query}",
                "query_string", "{query}",
                "request_id", "{request-id}");

        private static final Map<String, String> OTHERS = Map.of(
                "%[src]", "{client-address}",
                "%[path]", "{path}",
                "%[req.hdr(host)]", "{host}",
                "%REQ(:PATH)%", "{path}{query}",
                "%REQ(:AUTHORITY)%", "{host}",
                "%REQ(:SCHEME)%", "{scheme}",
                "%REQ(X-REQUEST-ID)%", "{request-id}",
                "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%", "{client-address}",
                "%DOWNSTREAM_REMOTE_ADDRESS%", "{client-address}");

        private static final Pattern VARIABLE = Pattern.compile(
                "\\$(?:(\\d)|(" + String.join("|", NGINX.keySet())
                        + "|proxy_add_x_forwarded_for|http_\\w+|cookie_\\w+|arg_\\w+)\\b)|%\\[[^\\]]+\\]|%[A-Z_]+(?:\\([^)]*\\))?%");

        /** Placeholder of a template engine; a text in JSON, which begins with a quote, is none. */
        private static final Pattern DOUBLE_BRACES = Pattern.compile("\\{\\{-?\\s*([.$\\w][^{}]*?)\\s*-?\\}\\}");

        private static final Pattern PLACEHOLDER = Pattern.compile("client-address|host|scheme|path|query|request-id");

        private VariablePattern() {}

        static @Nullable ForeignPattern find(String text) {
            Matcher found = VARIABLE.matcher(text);
            if (!found.find()) {
                return null;
            }
            String nginx = found.group(2) == null ? null : NGINX.get(found.group(2));
            String known = nginx == null ? OTHERS.get(found.group()) : nginx;
            return ForeignPattern.warning(found.group() + " stands for itself; "
                    + (known == null ? "it has no placeholder here" : "for its value, write " + known));
        }

        static @Nullable ForeignPattern doubleBraces(String text) {
            Matcher found = DOUBLE_BRACES.matcher(text);
            if (!found.find()) {
                return null;
            }
            boolean known = PLACEHOLDER.matcher(found.group(1)).matches();
            return ForeignPattern.warning(found.group() + " stands for itself; "
                    + (known ? "for its value, write {" + found.group(1) + "}" : "nothing fills it in here"));
        }
    }
}
