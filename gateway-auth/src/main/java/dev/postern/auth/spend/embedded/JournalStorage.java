package dev.postern.auth.spend.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** What the journal asks of a disk while it runs; tests put a failing one in its place. */
interface JournalStorage {

    /** Writes all of it at the channel's position. */
    void write(FileChannel file, ByteBuffer bytes) throws IOException;

    /** Returns when what was written survives a loss of power. */
    void force(FileChannel file) throws IOException;

    /** The real one. */
    JournalStorage REAL = new JournalStorage() {
        @Override
        public void write(FileChannel file, ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }

        @Override
        public void force(FileChannel file) throws IOException {
            file.force(false);
        }
    };
}
