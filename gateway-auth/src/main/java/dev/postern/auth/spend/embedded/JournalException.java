package dev.postern.auth.spend.embedded;

import java.nio.file.Path;

/** Exception for a journal that can't be used. Its message names the file and the remedy. */
final class JournalException extends RuntimeException {

    private static final long serialVersionUID = 1;

    JournalException(Path file, String subject) {
        super("privacy-pass.ledger.embedded.journal: " + file + ": " + subject);
    }

    JournalException(Path file, String subject, Throwable cause) {
        super("privacy-pass.ledger.embedded.journal: " + file + ": " + subject, cause);
    }
}
