package dev.postern.auth.spend.store;

/** Reply of a store server to a command, or the reason why there is none. */
public enum StoreReply {
    /** The server stored the value: the key did not exist (add), or the cas id matched (cas). */
    STORED,
    /** The key already existed (add), the cas id did not match (cas), or there is no value (gets). */
    NOT_STORED,
    /** The server returned an error, for example because its memory is full. */
    REFUSED,
    /** No byte of the command was written to the connection. */
    UNSENT,
    /** The connection ended between command and response. The server may have executed the command, or may still execute it. */
    LOST
}
