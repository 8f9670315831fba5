package dev.postern.app.replica;

import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;

/** Store on which gateways race, and the one of its servers that has faults. */
interface RacedStore extends AutoCloseable {

    /** Longer than the default, since other builds may share this machine; the results do not depend on it. */
    String DEADLINE = "500ms";

    /** Returns the value of {@code privacy-pass.ledger}, in braces. */
    String ledger();

    /** Returns other required sections of the configuration. */
    default String furtherConfiguration() {
        return "";
    }

    /** @param folder for its files */
    void start(Path folder) throws IOException;

    ServerProcess victim();

    /** Sends three times as much data to the victim as it can hold. */
    void fill();

    /** Removes that data. */
    void clear();

    /** Returns whether the other servers replace the victim meanwhile. */
    default boolean sparedFrom(Fault fault) {
        return false;
    }

    /** Waits until the victim responds after it was started or thawed. */
    default void awaitServing() {}

    @Override
    void close();
}
