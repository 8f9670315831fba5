package dev.postern.app.reload;

import dev.postern.app.config.read.SourceFiles;

/**
 * Rule that tells when a configuration has to be read again: its files differ from what was read last, and did not change between two looks,
 * so that no file is read while it is written. Each content is read once, also if it could not be applied. For one thread that may block.
 */
public final class SourceWatch {

    private SourceFiles seen = SourceFiles.NONE;
    private SourceFiles tried = SourceFiles.NONE;

    /**
     * Looks at the files.
     *
     * @param read the files as they were read last
     * @return whether to read them now
     */
    public boolean look(SourceFiles read) {
        SourceFiles now = read.now();
        boolean steady = now.equals(seen);
        seen = now;
        if (!steady || now.equals(read) || now.equals(tried)) {
            return false;
        }
        tried = now;
        return true;
    }
}
