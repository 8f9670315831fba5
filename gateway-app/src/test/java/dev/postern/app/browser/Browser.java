package dev.postern.app.browser;

import dev.postern.core.testing.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Headless Chromium of the system's packages with a new profile, which reaches only this machine. */
public final class Browser implements AutoCloseable {

    /** Address of this machine that is another site than 127.0.0.1. */
    static final String OTHER_SITE = "127.0.0.2";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

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
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE " + OTHER_SITE);
        options.setExperimentalOption("prefs", preferences);
        options.setAcceptInsecureCerts(true);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        // Set explicitly, so that the library searches no driver.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(ServerProcess.find("chromedriver").toFile())
                .usingAnyFreePort()
                .withTimeout(PATIENCE)
                .build();
        driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
    }

    public static Browser withScript() {
        return new Browser(Map.of());
    }

    /** Starts a browser in which JavaScript is disabled. */
    static Browser withoutScript() {
        return new Browser(Map.of("profile.managed_default_content_settings.javascript", 2));
    }

    /** Starts a browser whose user forbids cookies. */
    static Browser withoutCookies() {
        return new Browser(Map.of("profile.default_content_setting_values.cookies", 2));
    }

    public void open(String url) {
        driver.get(url);
    }

    void back() {
        driver.navigate().back();
    }

    /** Opens a tab in front of the others; returns the name of the tab that was in front. */
    String openTab() {
        String before = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        return before;
    }

    /** Hides the window, with its page, or shows it again. */
    void minimized(boolean hidden) {
        Object id = command("Browser.getWindowForTarget", Map.of()).get("windowId");
        Object bounds = Map.of("windowState", hidden ? "minimized" : "normal");
        command("Browser.setWindowBounds", Map.of("windowId", id, "bounds", bounds));
    }

    /** Returns the name of the tab with which this browser works. */
    String tab() {
        return driver.getWindowHandle();
    }

    /** Works with a tab from now on, without showing it. */
    void use(String tab) {
        driver.switchTo().window(tab);
    }

    void closeTab(String next) {
        driver.close();
        use(next);
    }

    /** Works with the only frame of the page from now on; null: with the page. */
    void useFrame(boolean frame) {
        if (frame) {
            driver.switchTo().frame(0);
        } else {
            driver.switchTo().defaultContent();
        }
    }

    /** Sends a command of the DevTools protocol. */
    Map<String, Object> command(String name, Map<String, Object> parameters) {
        return driver.executeCdpCommand(name, parameters);
    }

    void deleteCookies() {
        command("Network.clearBrowserCookies", Map.of());
    }

    /** Replaces the value of each cookie of the page. */
    void overwriteCookies(String value) {
        for (Cookie cookie : driver.manage().getCookies()) {
            driver.manage()
                    .addCookie(new Cookie.Builder(cookie.getName(), value)
                            .path(cookie.getPath())
                            .isHttpOnly(cookie.isHttpOnly())
                            .build());
        }
    }

    void offline(boolean offline) {
        command("Network.enable", Map.of());
        command(
                "Network.emulateNetworkConditions",
                Map.of("offline", offline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Stops or continues the scripts of the page, as a system does that saves energy. */
    void frozen(boolean frozen) {
        command("Page.setWebLifecycleState", Map.of("state", frozen ? "frozen" : "active"));
    }

    /** Runs a script in the next pages before their own. Returns the name by which {@link #forget} ends this. */
    String beforePages(String script) {
        return String.valueOf(command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                .get("identifier"));
    }

    void forget(String name) {
        command("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", name));
    }

    String url() {
        return driver.getCurrentUrl();
    }

    String title() {
        return String.valueOf(driver.getTitle());
    }

    WebElement element(String id) {
        return driver.findElement(By.id(id));
    }

    /** Clicks a link in a frame that replaces the whole page, and works with that page; the driver may find its frame gone before the click ends. */
    void leaveFrame(String link) {
        try {
            element(link).click();
        } catch (WebDriverException e) {
            if (!String.valueOf(e.getMessage()).startsWith("target frame detached")) {
                throw e;
            }
        }
        useFrame(false);
    }

    public String text(String id) {
        return read(id, WebElement::getText);
    }

    /** Returns what is read from an element; of the next page, if the page reloads itself meanwhile. */
    <T> T read(String id, Function<WebElement, T> value) {
        return new WebDriverWait(driver, PATIENCE, Duration.ofMillis(100))
                .ignoring(WebDriverException.class)
                .until(page -> Collections.singletonList(value.apply(element(id))))
                .get(0);
    }

    /** Waits until the element has this text. */
    void awaitText(String id, String text) {
        await(page -> text.equals(element(id).getText()));
    }

    void press(Keys key) {
        new Actions(driver).sendKeys(key).perform();
    }

    /** Waits for a condition. A page that is replaced during the check is checked again. */
    public void await(ExpectedCondition<?> condition) {
        new WebDriverWait(driver, PATIENCE, Duration.ofMillis(100))
                .ignoring(WebDriverException.class)
                .until(condition);
    }

    /** Runs a script through the driver and returns its result; the policy of the page does not apply. */
    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script like {@link #run}; returns the value that it passes to its last argument. */
    @Nullable
    Object runLong(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    /** Sets the languages of Accept-Language. */
    Browser prefer(String languages) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.setExtraHTTPHeaders", Map.of("headers", Map.of("Accept-Language", languages)));
        return this;
    }

    /**
     * Sets preferences of the reader's system.
     *
     * @param scheme {@code light} or {@code dark}
     * @param motion {@code no-preference} or {@code reduce}
     */
    public Browser prefer(String scheme, String motion) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", motion))));
        return this;
    }

    /** @param zoom device pixels for each CSS pixel, as set by zooming in */
    public Browser size(int width, int height, int zoom) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", zoom, "mobile", false));
        return this;
    }

    public byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** Returns the addresses that were requested since the previous call. */
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

    /** Returns console messages since the previous call: script errors, and requests that a policy blocked. */
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
