package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.textToBe;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests a browser that waits for the only slot. */
@Tag("browser")
class WaitingRoomIT {

    private final FullWaitingRoom room = new FullWaitingRoom();

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void withScriptThePageUpdatesByItself() {
        try (Browser browser = Browser.withScript()) {
            browser.open(room.url("/bread"));
            assertThat(browser.text("position")).isEqualTo("1");
            assertThat(browser.text("time")).isNotEmpty();
            assertThat(browser.element("keep").isDisplayed()).isTrue();
            browser.run("window.untouched = true");
            Awaitility.await()
                    .until(() -> browser.requests().stream().anyMatch(url -> url.contains("/.postern/room/")));
            assertThat(browser.run("return window.untouched"))
                    .as("polls without reloading")
                    .isEqualTo(true);

            room.inside().leave();
            browser.await(titleIs(FullWaitingRoom.SHOP));
            assertThat(browser.url()).as("the requested page").isEqualTo(room.url("/bread"));
        }
    }

    @Test
    void withoutScriptThePageReloadsAndKeepsItsPosition() {
        String page = room.url("/bread");
        try (Browser browser = Browser.withoutScript()) {
            browser.open(page + "#crust");
            assertThat(browser.text("position")).isEqualTo("1");
            assertThat(browser.read("keep", WebElement::isDisplayed))
                    .as("the page promises nothing that needs script")
                    .isFalse();
            String link = browser.read("again", element -> element.getDomProperty("href"));
            assertThat(link).as("a link to reload at once").isEqualTo(page);

            room.inside().leave();
            browser.await(titleIs(FullWaitingRoom.SHOP));
            assertThat(browser.url()).as("the requested page").isEqualTo(page);
        }
    }

    @Test
    void announcesThePositionToScreenReaders() {
        RoomClient ahead = room.come();
        assertThat(ahead.enter()).isFalse();
        try (Browser browser = Browser.withScript()) {
            browser.open(room.url("/"));
            assertThat(browser.text("position")).isEqualTo("2");
            assertThat(browser.element("said").getDomAttribute("aria-live")).isEqualTo("polite");

            room.inside().leave();
            Awaitility.await().until(ahead::enter);
            browser.await(textToBe(By.id("position"), "1"));
            assertThat(browser.run("return document.getElementById('said').textContent"))
                    .asString()
                    .startsWith("Your place: 1. Estimated wait:");
        } finally {
            ahead.leave();
        }
    }

    @Test
    void doesNotKeepASubmittedFormAndSaysSo() {
        try (Browser browser = Browser.withScript()) {
            browser.open(room.url("/"));
            browser.open(room.form());
            browser.element("order").click();
            browser.await(titleIs("You are in line"));

            assertThat(browser.text("room")).contains("What you sent was not kept.");

            room.inside().leave();
            browser.await(titleIs(FullWaitingRoom.SHOP));
            assertThat(browser.url()).isEqualTo(room.url("/order"));
            assertThat(room.received())
                    .as("the form was not sent again")
                    .contains("GET /order HTTP/1.1")
                    .noneMatch(line -> line.startsWith("POST"));
        }
    }

    @Test
    void thePageLoadsNothingElseAndIsSmall() {
        try (Browser browser = Browser.withScript()) {
            browser.open(room.url("/"));
            List<String> requested = browser.requests();

            assertThat(requested).contains(room.url("/")).allMatch(url -> url.startsWith(room.url("/")));
            assertThat(room.weight()).isLessThan(20_000);
        }
    }

    @Test
    void theLinkIsReachableByKeyboard() {
        try (Browser browser = Browser.withScript()) {
            browser.open(room.url("/"));
            browser.press(Keys.TAB);

            assertThat(browser.run("return document.activeElement.id")).isEqualTo("again");
            assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                    .isEqualTo("solid");
        }
    }
}
