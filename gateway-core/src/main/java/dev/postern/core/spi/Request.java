package dev.postern.core.spi;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as extensions see it. Good only during the call it was given to, or until a later decision was made. */
public interface Request {

    String method();

    /** {@code http} or {@code https}. */
    String scheme();

    /** {@code host[:port]} in its one spelling: lower case, without a dot at its end; empty when the request names none. */
    String authority();

    /**
     * The path that was matched, normalised; empty for CONNECT. Whatever an upstream may take it for instead (with {@code %2F} decoded, without
     * {@code ;parameters}) leads to the same route, but an extension that decides on a part of it has to think of them too.
     */
    String path();

    /** The query with its {@code ?}, or nothing. */
    String query();

    /** Who asks, as trusted proxies name it. Not for logs. */
    InetAddress clientAddress();

    /** The name of the listener. */
    String listener();

    /** The name of the route, {@code host + path}; empty when none matched. */
    String route();

    /** The value of the first field of that name, or null. */
    @Nullable
    String value(String name);

    /** The values of all fields of that name. */
    List<String> values(String name);

    /**
     * Puts one field in place of all of that name, for the stages behind and the upstream. Throws {@link IllegalArgumentException} for control
     * characters, and for names that frame or route, such as {@code Host} and {@code Content-Length}.
     */
    void set(String name, String value);

    /** Removes all fields of that name; throws as {@link #set} does. */
    void remove(String name);

    /** Adds a field to whatever final response goes to the client; throws as {@link #set} does. */
    void response(String name, String value);

    /** Keeps something for other extensions that see this request later, such as a log field. */
    void put(String key, Object value);

    /** What was kept under that key, or null. */
    @Nullable
    Object get(String key);
}
