package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Redirect of a route (RFC 9110 section 15.4). A request that already is at the target proceeds to the upstream, so that {@code http} to
 * {@code https} takes one line and causes no redirect loop. Immutable.
 */
public final class Redirect {

    /** Rest of a location below a fixed authority, so that no request path can redirect clients to another authority. */
    private static final String PATH = "\\{path\\}.*|/(?![/\\\\]|\\{path\\}).*";

    private static final Pattern ELSEWHERE = Pattern.compile(
            "https?://(\\{host\\}|[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?(|[?#].*|\\{query\\}(#.*)?|" + PATH
                    + ")");
    private static final Pattern HERE = Pattern.compile(PATH);

    private static final Field PERMANENT = Field.of(FieldName.CACHE_CONTROL, "max-age=3600");

    private final Template to;
    private final int status;

    private Redirect(Template to, int status) {
        this.to = to;
        this.status = status;
    }

    /**
     * Parses a redirect; throws {@link IllegalArgumentException} with value and expectation.
     *
     * @param routeHost the host of its route; unless {@code *}, <code>{host}</code> is a host that the route serves
     */
    public static Redirect of(String target, int status, String routeHost) {
        if (!ELSEWHERE.matcher(target).matches() && !HERE.matcher(target).matches()) {
            throw new IllegalArgumentException(
                    target + " (expected: a place such as https://{host}{path}{query}, or a path such as /new)");
        }
        if (target.contains("://{host}") && routeHost.equals("*")) {
            throw new IllegalArgumentException(
                    target + " (expected: the name of a host, or a route with one, since clients name any host)");
        }
        if (target.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException(target + " (expected: visible characters of ASCII, without blanks)");
        }
        return new Redirect(Template.of(target), status);
    }

    /** Returns the response, or null when the request already is at the target. */
    @Nullable
    LocalReply reply(Exchange exchange) {
        String location = to.fill(exchange);
        if (reached(exchange, location, exchange.request().path())) {
            return null;
        }
        List<Field> fields = new ArrayList<>(2);
        fields.add(Field.of(FieldName.LOCATION, location));
        if (status == 301 || status == 308) {
            fields.add(PERMANENT);
        }
        return new LocalReply(status, "", fields, new byte[0]);
    }

    /** Returns whether each reading of the path is redirected, or is forwarded, as the path itself. */
    boolean agrees(Exchange exchange, Set<String> others) {
        boolean reached = reached(exchange, exchange.request().path());
        for (String other : others) {
            if (reached(exchange, other) != reached) {
                return false;
            }
        }
        return true;
    }

    private boolean reached(Exchange exchange, String path) {
        return reached(exchange, to.fill(exchange, path), path);
    }

    private static boolean reached(Exchange exchange, String location, String requested) {
        RequestHead request = exchange.request();
        int fragment = location.indexOf('#');
        String path = fragment < 0 ? location : location.substring(0, fragment);
        String here = requested + request.query();
        if (path.startsWith("/")) {
            return path.equals(here);
        }
        String scheme = Placeholder.SCHEME.value(exchange);
        String authority = request.authority();
        String standard = scheme.equals("https") ? ":443" : ":80";
        String bare = authority.endsWith(standard)
                ? authority.substring(0, authority.length() - standard.length())
                : authority;
        return path.equals(scheme + "://" + authority + here) || path.equals(scheme + "://" + bare + here);
    }
}
