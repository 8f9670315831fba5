package dev.postern.auth.spend.memcached;

/** What became of a command. */
enum Fate {
    /** {@code STORED}. */
    STORED,
    /** {@code NOT_STORED}, {@code EXISTS} or {@code NOT_FOUND}: somebody else was there, or nobody. */
    NOT_STORED,
    /** The server answered something else: it is full, say. */
    REFUSED,
    /** No byte of it was handed to the connection. */
    UNSENT,
    /** The connection ended between command and answer; the server may have obeyed, or may yet. */
    LOST
}
