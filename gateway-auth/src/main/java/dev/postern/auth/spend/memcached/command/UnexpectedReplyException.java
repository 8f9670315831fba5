package dev.postern.auth.spend.memcached.command;

import java.io.IOException;

/** Failure of a connection: the server sent a reply that does not fit the command, so later replies can't be assigned. */
public final class UnexpectedReplyException extends IOException {

    private static final long serialVersionUID = 1;

    UnexpectedReplyException() {
        super("unexpected response");
    }
}
