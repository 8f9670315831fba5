package dev.postern.core.http;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Method of a request, with its properties safe and idempotent (RFC 9110 section 9): names are case-sensitive. */
public record Method(String name, boolean safe, boolean idempotent) {

    public static final Method GET = new Method("GET", true, true);
    public static final Method HEAD = new Method("HEAD", true, true);
    public static final Method OPTIONS = new Method("OPTIONS", true, true);
    public static final Method TRACE = new Method("TRACE", true, true);
    public static final Method PUT = new Method("PUT", false, true);
    public static final Method DELETE = new Method("DELETE", false, true);
    public static final Method POST = new Method("POST", false, false);
    public static final Method PATCH = new Method("PATCH", false, false);
    public static final Method CONNECT = new Method("CONNECT", false, false);

    private static final Map<String, Method> KNOWN = Stream.of(
                    GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST, PATCH, CONNECT)
            .collect(Collectors.toUnmodifiableMap(Method::name, Function.identity()));

    /** Returns the method of that name; an unknown method is neither safe nor idempotent. */
    public static Method of(String name) {
        Method known = KNOWN.get(name);
        return known != null ? known : new Method(name, false, false);
    }

    /** Returns whether this is one of the methods above; any other token may be a method too. */
    public boolean known() {
        return KNOWN.containsKey(name);
    }

    /** Compares names only, since each exchange compares methods several times: faster than the generated equals of a record. */
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Method method && name.equals(method.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
