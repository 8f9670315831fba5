package dev.postern.auth.spend.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Storage of the journal: the disk operations during operation. Tests replace it by a failing implementation. */
interface JournalStorage {

    /** Writes all bytes at the channel's position. */
    void write(FileChannel file, ByteBuffer bytes) throws IOException;

    /** Waits until all written bytes survive a loss of power. */
    void force(FileChannel file) throws IOException;

    /** Storage on the real disk. */
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
