package dev.postern.app.cli.init;

import dev.postern.core.upstream.endpoint.EndpointSpec;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Site behind the gateway.
 *
 * @param endpoint as in {@code upstreams[].endpoints}
 * @param tls whether the gateway connects to it over TLS
 */
record Site(String endpoint, boolean tls) {

    private static final String EXPECTED =
            "the address of the site: host:port, http://host, https://host:port or unix:/path, without a path behind it";

    private static final Pattern FORM = Pattern.compile("(?:(https?)://)?([^/ ?#@]+?)(:\\d+)?/?");

    /** @throws IllegalArgumentException with the expected form as its message */
    static Site of(String text) {
        Matcher form = FORM.matcher(text);
        boolean address = form.matches();
        if (!address && !text.startsWith("unix:/")) {
            throw new IllegalArgumentException(EXPECTED);
        }
        boolean tls = address && "https".equals(form.group(1));
        String port = !address ? "" : form.group(3) != null ? form.group(3) : portOf(form.group(1));
        String endpoint = address ? form.group(2) + port : text;
        try {
            EndpointSpec.of(endpoint);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        return new Site(endpoint, tls);
    }

    /** Returns the port of a URL without one; without a scheme the port has to be given. */
    private static String portOf(@Nullable String scheme) {
        return "https".equals(scheme) ? ":443" : "http".equals(scheme) ? ":80" : "";
    }
}
