package dev.postern.core.http1;

/** Meaning of a client that ends its output while its responses are on their way (ADR 43). */
public enum HalfClose {
    /** The client has gone: its exchanges end, and their upstreams are cancelled. */
    REFUSE,
    /** The client still reads: complete requests get their responses. */
    ALLOW
}
