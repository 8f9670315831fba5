package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.openqa.selenium.support.ui.ExpectedConditions.textToBePresentInElementLocated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Tests the pages of rooms, keys and the hidden context: visually, for screen readers, and with the keyboard only. */
@Tag("browser")
@Tag("long")
class AdminPagesIT {

    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private static Path folder;

    private static BusyGateway gateway;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException {
        gateway = new BusyGateway(folder);
        browser = Browser.withScript();
        for (int i = 0; i < 5; i++) {
            gateway.come();
        }
    }

    @AfterAll
    static void close() {
        browser.close();
        gateway.close();
    }

    @BeforeEach
    void withoutToken() {
        show("rooms", "light", 1280);
        browser.run("sessionStorage.clear()");
    }

    private static void show(String page, String scheme, int width) {
        browser.prefer(scheme, "no-preference").size(width, 900, 1);
        browser.open(gateway.url() + page);
        browser.await(textToBePresentInElementLocated(By.id("state"), "Every "));
    }

    /** Enters the token by the keyboard. */
    private static void useToken() {
        browser.element("token").sendKeys(TOKEN, Keys.ENTER);
        assertThat(browser.text("token-said")).isEqualTo("A token is in use in this tab.");
    }

    private static @Nullable Object mode() {
        return browser.run("return document.querySelector('.room .state').textContent");
    }

    @ParameterizedTest
    @CsvSource({
        "rooms, light, 1280",
        "rooms, dark, 360",
        "keys, light, 360",
        "keys, dark, 1280",
        "context, light, 1280",
        "context, dark, 360"
    })
    void axeFindsNothing(String page, String scheme, int width) {
        show(page, scheme, width);

        assertThat(new Axe().findings(browser)).isEmpty();
        assertThat(browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .as("no horizontal scrolling")
                .isEqualTo(true);
        assertThat(browser.run("return document.querySelector('[aria-current]').getAttribute('href')"))
                .isEqualTo("/" + page);
    }

    @Test
    void showsTheQueueOfARoom() {
        String room = String.valueOf(browser.run("return document.querySelector('.room').innerText"));

        assertThat(room).contains("tickets", "Open", "in the queue", "2", "inside", "2 of 2", "The queue holds ");
    }

    @Test
    void changesARoomByTheKeyboard() {
        useToken();
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 30 && !reached.contains("Pause"); i++) {
            browser.press(Keys.TAB);
            reached.add(String.valueOf(browser.run("return document.activeElement.textContent")));
        }
        browser.press(Keys.ENTER);
        await().until(() -> "Paused".equals(mode()));
        assertThat(browser.text("done")).startsWith("tickets: Changed. ");
        assertThat(browser.run("return document.activeElement.getAttribute('aria-pressed')"))
                .as("the button keeps the focus")
                .isEqualTo("true");

        browser.run("document.querySelector('.room input[type=number]').focus()");
        browser.press(Keys.NUMPAD3);
        browser.press(Keys.ENTER);
        await().until(() -> String.valueOf(browser.run("return document.querySelector('.room').innerText"))
                .contains("2 of 3"));

        browser.run("document.querySelectorAll('.room button')[0].click();"
                + "document.querySelector('.room form button[type=button]').click()");
        await().until(() -> String.valueOf(browser.run("return document.querySelector('.room').innerText"))
                .contains(" of 2"));
        await().until(() -> "Open".equals(mode()));
    }

    /** What is typed stays while the page shows newer figures. */
    @Test
    void keepsWhatIsTyped() {
        browser.run("document.querySelector('.room input[type=text]').focus()");
        browser.press(Keys.NUMPAD7);
        String shown = browser.text("state");
        await().until(() -> !browser.text("state").equals(shown));

        assertThat(browser.run("return document.querySelector('.room input[type=text]').value"))
                .isEqualTo("7");
    }

    @Test
    void asksForATokenWhereOneIsMissing() {
        browser.run("document.querySelectorAll('.room button')[1].click()");

        browser.await(textToBePresentInElementLocated(By.id("done"), "Not changed: A token is needed."));
        assertThat(mode()).isEqualTo("Open");
        browser.element("token").sendKeys("fedcba9876543210", Keys.ENTER);
        browser.run("document.querySelectorAll('.room button')[1].click()");
        browser.await(textToBePresentInElementLocated(By.id("done"), "Not changed: The token is not known here."));
        browser.element("token-forget").click();
        assertThat(browser.element("token-forget").isDisplayed()).isFalse();
    }

    @Test
    void namesWhatIsWrong() {
        useToken();
        browser.run(
                "const rate = document.querySelector('.room input[type=text]'); rate.value = 'x'; rate.form.requestSubmit()");

        browser.await(textToBePresentInElementLocated(By.id("done"), "Not changed: rate: \"x\" (expected: "));
    }

    @Test
    void listsKeysAndTheirState() {
        show("keys", "light", 1280);

        assertThat(browser.text("issuers")).contains("issuer.example", "in use", "Drop");
        assertThat(browser.element("refresh").isDisplayed())
                .as("no issuer has a directory")
                .isFalse();
    }

    @Test
    void findsItemsOfTheContext() {
        show("context", "light", 1280);

        assertThat(browser.text("verdict")).containsPattern("[✓✕] .*items");
        browser.element("find").sendKeys("postern.version");
        await().until(() ->
                Long.valueOf(1).equals(browser.run("return document.querySelectorAll('#items tbody tr').length")));
        assertThat(browser.text("items")).contains("postern.version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rooms", "keys", "context"})
    void loadsNothingFromOtherHostsAndNothingFails(String page) {
        browser.requests();
        browser.console();
        show(page, "light", 1280);

        assertThat(browser.requests())
                .contains(gateway.url() + page)
                .allMatch(url -> url.startsWith(gateway.url()) || url.startsWith("data:image/svg"));
        assertThat(browser.console()).isEmpty();
    }

    /** {@code -Ddocs.write=true} writes the picture. */
    @Test
    void pictureOfTheDocsIsSmall() throws IOException {
        show("rooms", "light", 1100);
        browser.size(1100, 560, 1);
        byte[] picture = browser.picture();
        assertThat(picture).hasSizeBetween(10_000, 150_000);
        if (Boolean.getBoolean("docs.write")) {
            Files.write(Path.of("..", "docs", "rooms-page.png"), picture);
        }
    }
}
