package dev.postern.auth.spend.store;

/** What became of a command. */
public enum StoreReply {
    /** Nobody was there before. */
    STORED,
    /** Somebody else was there, or nobody. */
    NOT_STORED,
    /** The server answered something else: it is full, say. */
    REFUSED,
    /** No byte of it was handed to the connection. */
    UNSENT,
    /** The connection ended between command and answer; the server may have obeyed, or may yet. */
    LOST
}
