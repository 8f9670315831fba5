package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import dev.postern.core.testing.TestOrigin.Received;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a browser that loads pages ahead takes nothing in a waiting room for them. */
@Tag("browser")
class PrefetchIT {

    private final FullWaitingRoom room = new FullWaitingRoom();
    private final FaultyNetwork network = new FaultyNetwork(room.port(), List.of());
    private final Browser browser = Browser.withScript();

    @AfterEach
    void close() {
        browser.close();
        network.close();
        room.close();
    }

    @Test
    void takesNoPlaceUntilTheVisitorComes() {
        browser.open(network.url("/form" + FullWaitingRoom.AHEAD));
        awaitAhead("/bread", "prefetch");
        awaitAhead("/cake", "prerender");
        assertThat(room.places()).isZero();

        browser.element("next").click();
        browser.await(titleIs("You are in line"));
        browser.awaitText("position", "1");
        room.inside().leave();
        browser.await(titleIs(FullWaitingRoom.SHOP));
        assertThat(browser.url()).isEqualTo(network.url("/cake"));
    }

    @Test
    @Tag("long")
    void takesNoFreeSlot() {
        room.inside().leave();
        RoomClient other = room.come();
        Awaitility.await().until(other::enter);
        other.leave();
        RoomClient last = room.come();
        browser.open(network.url("/form" + FullWaitingRoom.AHEAD));
        awaitAhead("/bread", "prefetch");
        awaitAhead("/cake", "prerender");
        Awaitility.await().until(last::enter);
        last.leave();
        assertThat(room.received()).noneMatch(line -> line.startsWith("GET /bread ") || line.startsWith("GET /cake "));
    }

    @Test
    @Tag("long")
    void showsThePrerenderedPageToAVisitorWithAPass() {
        room.inside().leave();
        browser.open(network.url(FullWaitingRoom.AHEAD));
        browser.await(titleIs(FullWaitingRoom.SHOP));
        awaitAhead("/cake", "prerender");
        Awaitility.await().until(() -> room.received().contains("GET /cake HTTP/1.1"));

        browser.element("next").click();
        browser.await(driver -> network.url("/cake").equals(browser.url()));
        assertThat(browser.run("return performance.getEntriesByType('navigation')[0].activationStart > 0"))
                .as("the page was loaded ahead")
                .isEqualTo(true);
    }

    private void awaitAhead(String path, String purpose) {
        Awaitility.await().until(() -> network.received().stream().anyMatch(request -> ahead(request, path, purpose)));
    }

    private static boolean ahead(Received request, String path, String purpose) {
        return request.line().startsWith("GET " + path + " ")
                && request.field("Sec-Purpose").contains(purpose);
    }
}
