package dev.postern.core.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the default time-out of {@code await()} to a minute instead of ten seconds, which other tests may use up on a machine with two cores.
 * JUnit detects it in each module that has these classes.
 */
public final class PatienceExtension implements BeforeAllCallback {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
