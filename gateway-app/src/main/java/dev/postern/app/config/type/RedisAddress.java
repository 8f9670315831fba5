package dev.postern.app.config.type;

import io.lettuce.core.RedisURI;
import java.util.regex.Pattern;

/** Redis address that may be shown: a URI without user name, password and other secrets. */
public record RedisAddress(String host, int port, boolean tls) {

    private static final String EXPECTED = "redis://host:port or rediss://host:port, with %-escapes in the password";

    private static final Pattern FORM = Pattern.compile(
            "rediss?://([^@/?#\\s]*@)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?(/[0-9]{0,5})?(\\?[A-Za-z0-9=&._-]*)?");

    /**
     * Parses a URI like the Redis client. Throws {@link IllegalArgumentException} with the expected form as its message, without the URI.
     */
    public static RedisAddress of(String uri) {
        // Stricter than the client: with a # or / in the password, the client takes a part of the password for the host
        // name.
        if (FORM.matcher(uri).matches()) {
            try {
                RedisURI read = RedisURI.create(uri);
                if (read.getHost() != null && read.getPort() >= 1 && read.getPort() <= 65535) {
                    return new RedisAddress(read.getHost(), read.getPort(), read.isSsl());
                }
            } catch (RuntimeException e) {
                // The exception is neither shown nor kept as a cause: its message contains the whole URI.
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
