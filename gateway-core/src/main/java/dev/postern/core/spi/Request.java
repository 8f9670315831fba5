package dev.postern.core.spi;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Request as extensions see it. Valid only during the call that passes the request, or until a later decision is made. */
public interface Request {

    String method();

    /**
     * Returns the id of the exchange: 1 to 128 characters of {@code [A-Za-z0-9._:/+=@-]}, which need no escaping on a page; empty on
     * listeners without ids.
     */
    default String id() {
        return "";
    }

    /**
     * Returns {@code http} or {@code https}: on reverse listeners what the client uses, as reported by trusted proxies; on forward listeners
     * the scheme of the target.
     */
    String scheme();

    /** Returns {@code host[:port]} in normal form: lower case, without a trailing dot; empty when the request has no host. */
    String authority();

    /**
     * Returns the normalised path that was matched; empty for CONNECT. An upstream may read the path differently; an extension that permits
     * something by a part of the path has to check {@link #otherPaths} too.
     */
    String path();

    /**
     * Returns other paths that the upstream may read instead of {@link #path}, since servers differ: as the client spelt it, with {@code %2F}
     * decoded, without {@code ;parameters}, with empty and dot segments kept. All of them lead to the same route. Usually none; none on
     * forward listeners. May contain {@link #path} itself.
     */
    default Set<String> otherPaths() {
        return Set.of();
    }

    /** Returns the query with its {@code ?}, or an empty text. */
    String query();

    /** Returns the address of the client, as reported by trusted proxies. Not for logs. */
    InetAddress clientAddress();

    /** Returns the name of the listener. */
    String listener();

    /** Returns the name of the route, {@code host + path}; empty when no route matched. */
    String route();

    /** Returns the value of the first field of that name, or null. */
    @Nullable
    String value(String name);

    /** Returns the values of all fields of that name. */
    List<String> values(String name);

    /**
     * Replaces all fields of that name with one field, for later stages and the upstream. Throws {@link IllegalArgumentException} for
     * control characters, and for names that frame or route, such as {@code Host} and {@code Content-Length}.
     */
    void set(String name, String value);

    /** Removes all fields of that name; throws as {@link #set} does. */
    void remove(String name);

    /** Adds a field to the final response, from the upstream or the gateway; throws as {@link #set} does. */
    void response(String name, String value);

    /** Stores a value for other extensions that see this request later, such as a log field. */
    void put(String key, Object value);

    /** Returns the value stored under that key, or null. */
    @Nullable
    Object get(String key);
}
