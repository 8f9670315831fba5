package dev.postern.core.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Variable of another program in a template, such as {@code $remote_addr} of nginx or {@code %[src]} of HAProxy. */
final class VariablePattern {

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
}
