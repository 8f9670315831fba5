package dev.postern.auth.spend.embedded;

import java.nio.file.Path;

/** A journal that can't be used as it is; its message says which file, and what to do about it. */
public final class JournalException extends RuntimeException {

    private static final long serialVersionUID = 1;

    JournalException(Path file, String subject) {
        super("privacy-pass.ledger.embedded.journal: " + file + ": " + subject);
    }

    JournalException(Path file, String subject, Throwable cause) {
        super("privacy-pass.ledger.embedded.journal: " + file + ": " + subject, cause);
    }
}
