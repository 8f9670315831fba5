package dev.postern.core.server;

/** Protocol that a listener accepts. */
public enum Protocol {
    /** HTTP/1.1 and 1.0. */
    H1,
    /** HTTP/2: by ALPN over TLS, by prior knowledge without. */
    H2
}
