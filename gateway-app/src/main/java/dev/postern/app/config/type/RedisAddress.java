package dev.postern.app.config.type;

import io.lettuce.core.RedisURI;
import java.util.regex.Pattern;

/**
 * Address of Redis for messages and checks: a URI without user, password and other parts that may be secret.
 *
 * @param database number of the database; 0 without one in the URI
 */
public record RedisAddress(String host, int port, int database, boolean tls) {

    private static final String EXPECTED = "redis://host:port or rediss://host:port, with %-escapes in the password";

    private static final Pattern FORM = Pattern.compile(
            "rediss?://([^@/?#\\s]*@)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?(/[0-9]{0,5})?(\\?[A-Za-z0-9=&._-]*)?");

    /** Parses a URI like the client; the message of the {@link IllegalArgumentException} says what was expected, without the URI. */
    public static RedisAddress of(String uri) {
        // Stricter than the client, which reads a password with # or / as the host name.
        if (FORM.matcher(uri).matches()) {
            try {
                RedisURI read = RedisURI.create(uri);
                if (read.getHost() != null && read.getPort() >= 1 && read.getPort() <= 65535) {
                    String bare = read.getHost().replaceAll("[\\[\\]]", "");
                    return new RedisAddress(bare, read.getPort(), read.getDatabase(), read.isSsl());
                }
            } catch (RuntimeException e) {
                // Neither the message nor the cause of the exception is used: both quote the whole URI.
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
