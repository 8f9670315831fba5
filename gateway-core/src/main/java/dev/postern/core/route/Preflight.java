package dev.postern.core.route;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;

/** Handling of CORS preflights (WHATWG Fetch, section 3.3.2), which carry neither token nor cookie. */
public enum Preflight {
    FORWARD,
    REFUSE;

    private static final FieldName ORIGIN = FieldName.of("origin");
    private static final FieldName REQUEST_METHOD = FieldName.of("access-control-request-method");

    /** Returns whether the request is a preflight that passes without token and room. */
    public boolean passes(RequestHead request) {
        return this == FORWARD
                && request.method().equals(Method.OPTIONS)
                && request.has(ORIGIN)
                && request.has(REQUEST_METHOD);
    }
}
