package dev.postern.app.browser;

import dev.postern.core.testing.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium of the system's packages with a fresh profile, which reaches this machine and nothing else. */
public final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Pattern REQUEST =
            Pattern.compile("\"method\":\"Network\\.requestWillBeSent\".*?\"request\":\\{.*?\"url\":\"([^\"]*)\"");

    private final ChromeDriver driver;

    private Browser(Map<String, Object> preferences) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(ServerProcess.find("chromium").toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-proxy-server",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
        options.setExperimentalOption("prefs", preferences);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        // Named, so that nothing looks for a driver elsewhere.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(ServerProcess.find("chromedriver").toFile())
                .usingAnyFreePort()
                .build();
        driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
    }

    public static Browser withScript() {
        return new Browser(Map.of());
    }

    /** As of people who forbid pages to run JavaScript. */
    static Browser withoutScript() {
        return new Browser(Map.of("profile.managed_default_content_settings.javascript", 2));
    }

    public void open(String url) {
        driver.get(url);
    }

    String url() {
        return driver.getCurrentUrl();
    }

    WebElement element(String id) {
        return driver.findElement(By.id(id));
    }

    public String text(String id) {
        return element(id).getText();
    }

    void press(Keys key) {
        new Actions(driver).sendKeys(key).perform();
    }

    /** Waits until the page is as told. A page that is replaced during a look is looked at again. */
    public void await(ExpectedCondition<?> condition) {
        new WebDriverWait(driver, PATIENCE, Duration.ofMillis(100))
                .ignoring(WebDriverException.class)
                .until(condition);
    }

    /** What that piece of JavaScript returns, run by the driver and not by the page. */
    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** As {@link #run}; what it hands to the last of its arguments. */
    @Nullable
    Object runLong(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    /** The languages that its reader prefers, as in Accept-Language. */
    Browser prefer(String languages) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.setExtraHTTPHeaders", Map.of("headers", Map.of("Accept-Language", languages)));
        return this;
    }

    /**
     * What its reader's system asks for.
     *
     * @param scheme {@code light} or {@code dark}
     * @param motion {@code no-preference} or {@code reduce}
     */
    public Browser look(String scheme, String motion) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", motion))));
        return this;
    }

    /** @param zoom device pixels for each pixel of the page's own, as zooming in makes it */
    public Browser size(int width, int height, int zoom) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", zoom, "mobile", false));
        return this;
    }

    public byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** The addresses that it asked since this was asked last. */
    List<String> requests() {
        List<String> urls = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            Matcher url = REQUEST.matcher(entry.getMessage());
            if (url.find()) {
                urls.add(url.group(1));
            }
        }
        return urls;
    }

    /** What stands in its console since this was asked last: errors of scripts, and what a policy kept from being loaded. */
    public List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
