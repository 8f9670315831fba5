package dev.postern.core.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every {@code await()} that says no time of its own wait a minute instead of ten seconds, which the neighbours of a test may take on a
 * machine with two cores. Found by JUnit itself, in each module that has these classes.
 */
public final class PatienceExtension implements BeforeAllCallback {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
