package dev.postern.core.http;

import java.util.List;

/**
 * The fields behind the last chunk of a body (RFC 9110 section 6.5). They come when everything was decided already, so none of them may say
 * anything about framing, routing, credentials, caching or the kind of content, however its name is spelt: {@link #strip}.
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

    /** Removes what has no place here; false when nothing is left. */
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
