package dev.postern.load.tunnel;

import java.io.IOException;

/** Exception for a response that opens no tunnel; its message is the head of the response. */
public final class TunnelRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    TunnelRefusedException(String head) {
        super("response: " + head.strip() + " (expected: one that opens a tunnel)");
    }
}
