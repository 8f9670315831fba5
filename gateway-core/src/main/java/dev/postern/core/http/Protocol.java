package dev.postern.core.http;

import java.util.Collection;
import java.util.List;

/** Protocol of a connection, of a client or to an upstream, with its name in ALPN (RFC 7301). */
public enum Protocol {
    /** HTTP/1.1 and 1.0. */
    H1("http/1.1"),
    /** HTTP/2: by ALPN over TLS, by prior knowledge without. */
    H2("h2");

    private final String alpn;

    Protocol(String alpn) {
        this.alpn = alpn;
    }

    /** Returns the name in ALPN. */
    public String alpn() {
        return alpn;
    }

    /**
     * Returns the name that the other side must select by ALPN; empty for HTTP/1.1, which needs no ALPN: a server without it speaks HTTP/1.1.
     */
    public String required() {
        return this == H1 ? "" : alpn;
    }

    /** Returns the names that a server offers by ALPN, in its order of preference; empty if it accepts HTTP/1.1 alone, without ALPN. */
    public static List<String> offered(Collection<Protocol> accepted) {
        if (!accepted.contains(H2)) {
            return List.of();
        }
        return accepted.contains(H1) ? List.of(H2.alpn, H1.alpn) : List.of(H2.alpn);
    }
}
