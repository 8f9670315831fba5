package dev.postern.app.config.type;

import io.lettuce.core.RedisURI;
import java.util.regex.Pattern;

/** Where Redis is, as far as it may be shown: a URI without user, password and what else may be secret. */
public record RedisAddress(String host, int port, boolean tls) {

    private static final String EXPECTED = "redis://host:port or rediss://host:port, with %-escapes in the password";

    private static final Pattern FORM = Pattern.compile(
            "rediss?://([^@/?#\\s]*@)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?(/[0-9]{0,5})?(\\?[A-Za-z0-9=&._-]*)?");

    /** Reads a URI as the client will; throws {@link IllegalArgumentException} whose message is what was expected, without the URI. */
    public static RedisAddress of(String uri) {
        // Stricter than the client, which takes a password with a # or / in it for the name of the host.
        if (FORM.matcher(uri).matches()) {
            try {
                RedisURI read = RedisURI.create(uri);
                if (read.getHost() != null && read.getPort() >= 1 && read.getPort() <= 65535) {
                    return new RedisAddress(read.getHost(), read.getPort(), read.isSsl());
                }
            } catch (RuntimeException e) {
                // Neither its message nor itself as a cause: it quotes the whole URI.
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
