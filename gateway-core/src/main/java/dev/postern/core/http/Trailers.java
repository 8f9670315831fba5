package dev.postern.core.http;

import java.util.List;

/**
 * Trailers: the fields after the last chunk of a body (RFC 9110 section 6.5). They arrive after all decisions, so {@link #strip} removes
 * every field about framing, routing, credentials, caching or the kind of content, in any spelling of the name.
 */
public final class Trailers extends Head {

    private static final LookAlikeNames FORBIDDEN = LookAlikeNames.of(List.of(
            "age",
            "authorization",
            "cache-control",
            "connection",
            "content-encoding",
            "content-length",
            "content-location",
            "content-range",
            "content-type",
            "cookie",
            "date",
            "expect",
            "expires",
            "forwarded",
            "host",
            "keep-alive",
            "location",
            "max-forwards",
            "pragma",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "range",
            "retry-after",
            "set-cookie",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "vary",
            "via",
            "warning",
            "www-authenticate"));

    public Trailers() {
        super(128, 4);
    }

    /** Removes the fields that trailers must not contain; returns false when no field is left. */
    public boolean strip() {
        for (int i = next(FORBIDDEN, 0); i >= 0; i = next(FORBIDDEN, i + 1)) {
            removeAt(i);
        }
        for (int i = 0; i < fields(); i++) {
            if (present(i)) {
                return true;
            }
        }
        return false;
    }
}
