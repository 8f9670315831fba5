package dev.postern.app.browser;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs one browser for the tests of a class, each of which begins without cookies. Register it as a static field. */
final class BrowserExtension implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private @Nullable Browser running;

    Browser browser() {
        return Objects.requireNonNull(running, "browser: none (expected: a registered extension)");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = Browser.withScript();
    }

    /** Ends the script of the page, and deletes all cookies. */
    @Override
    public void afterEach(ExtensionContext context) {
        browser().open("about:blank");
        browser().deleteCookies();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        browser().close();
    }
}
