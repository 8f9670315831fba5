package dev.postern.auth.spend.embedded;

import java.nio.file.Path;

/** A journal that can't be used as it is; its message says which file, and what to do about it. */
public final class JournalException extends RuntimeException {

    private static final long serialVersionUID = 1;

    JournalException(Path file, String what) {
        super("privacy-pass.ledger.embedded.journal: " + file + ": " + what);
    }

    JournalException(Path file, String what, Throwable cause) {
        super("privacy-pass.ledger.embedded.journal: " + file + ": " + what, cause);
    }
}
