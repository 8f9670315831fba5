package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ports reserved by test JVMs, several of which run at once: a port without a listener is not free when another test is about to start its
 * server there, or restarts it. One byte of a common file is locked for each port, until the JVM ends.
 */
final class ReservedPorts {

    static final Path FILE =
            Path.of(System.getProperty("java.io.tmpdir"), "postern-test-ports-" + System.getProperty("user.name"));

    private static final FileChannel LOCKS = open();

    /** The JVM forgets a lock that nothing refers to, and would grant the same one twice. */
    private static final Set<FileLock> HELD = ConcurrentHashMap.newKeySet();

    private ReservedPorts() {}

    private static FileChannel open() {
        try {
            return FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reserves the port until this JVM ends. Returns false when this or another test JVM has reserved it. */
    static boolean reserve(int port) {
        try {
            FileLock lock = LOCKS.tryLock(port, 1, false);
            return lock != null && HELD.add(lock);
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
