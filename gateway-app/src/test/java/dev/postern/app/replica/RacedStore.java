package dev.postern.app.replica;

import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;

/** A store that gateways race on, and the one of its servers to which things happen. */
interface RacedStore extends AutoCloseable {

    /** Longer than the default, since other builds may share this machine; what is counted doesn't depend on it. */
    String DEADLINE = "500ms";

    /** What {@code privacy-pass.ledger} is, in braces. */
    String ledger();

    /** What else the configuration needs. */
    default String besides() {
        return "";
    }

    /** @param folder for files of its own */
    void start(Path folder) throws IOException;

    ServerProcess victim();

    /** Offers the victim three times as much as it can hold. */
    void fill();

    /** Takes that out again. */
    void clear();

    /** Whether the other servers decide for the victim meanwhile. */
    default boolean sparedFrom(Fault fault) {
        return false;
    }

    /** Returns when the victim serves after it was started or thawed. */
    default void awaitServing() {}

    @Override
    void close();
}
