package dev.postern.auth.fuzz;

import dev.postern.auth.key.Directory;

/** The JSON of an issuer's directory (RFC 9578 section 4): whole and good, or refused. */
public final class DirectoryFuzz {

    private DirectoryFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Directory directory;
        try {
            directory = Directory.read(input);
        } catch (IllegalArgumentException e) {
            Must.hold(
                    e.getMessage() != null && e.getMessage().contains("expected: "),
                    "a reason that says what is expected");
            return;
        }
        Must.hold(directory.keys().size() <= 256, "a bounded number of keys");
        Must.hold(!directory.requestUri().isEmpty() || directory.keys().isEmpty(), "somewhere to ask");
    }
}
