package dev.postern.core.transport;

import io.netty.channel.unix.Errors;
import org.jspecify.annotations.Nullable;

/** File descriptors of this process; each socket takes one. */
public final class Descriptors {

    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final String TEXT = "Too many open files";

    private Descriptors() {}

    /** Returns whether the failure is a lack of file descriptors, of the process or of the machine. */
    public static boolean exhausted(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Errors.NativeIoException known) {
                return known.expectedErr() == -EMFILE || known.expectedErr() == -ENFILE;
            }
            String message = cause.getMessage();
            if (message != null && message.contains(TEXT)) { // sockets of the JDK: their exceptions have no number
                return true;
            }
        }
        return false;
    }
}
