package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a browser enters though its events are refused, as by a load balancer that is restarted or does not let them pass. */
@Tag("browser")
class WaitingRoomFallbackIT {

    private final FullWaitingRoom room = new FullWaitingRoom();
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger polls = new AtomicInteger();

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void entersWhenItsEventsWereRefusedOnce() {
        try (RefusingBalancer balancer = new RefusingBalancer(
                        room.port(),
                        request -> RefusingBalancer.stream(request) && streams.getAndIncrement() == 0
                                ? RefusingBalancer.refusal(503)
                                : null);
                Browser browser = Browser.withScript()) {
            waits(browser, balancer);
            enters(browser, balancer);
        }
    }

    @Test
    void entersWhenItsEventsAreAlwaysRefusedAndItsPollsAtFirst() {
        try (RefusingBalancer balancer = new RefusingBalancer(room.port(), request -> {
                    boolean refused = RefusingBalancer.stream(request)
                            ? streams.getAndIncrement() >= 0
                            : RefusingBalancer.poll(request) && polls.getAndIncrement() < 2;
                    return refused ? RefusingBalancer.refusal(503) : null;
                });
                Browser browser = Browser.withScript()) {
            waits(browser, balancer);
            browser.run("window.untouched = true");
            Awaitility.await().until(() -> polls.get() > 2);
            assertThat(browser.run("return window.untouched"))
                    .as("a refused poll is repeated, and does not replace the page by an error page")
                    .isEqualTo(true);
            enters(browser, balancer);
        }
    }

    /** The room of a limit that a reload of the gateway removed or renamed is unknown: 404. */
    @Test
    void entersWhenItsRoomIsGone() {
        try (RefusingBalancer balancer = new RefusingBalancer(room.port(), request -> {
                    boolean stream = RefusingBalancer.stream(request) && streams.getAndIncrement() >= 0;
                    return stream || RefusingBalancer.poll(request)
                            ? NetworkFault.answer(404, "application/problem+json", "{\"code\":\"route-not-found\"}")
                            : null;
                });
                Browser browser = Browser.withScript()) {
            waits(browser, balancer);
            enters(browser, balancer);
        }
    }

    private void waits(Browser browser, RefusingBalancer balancer) {
        browser.open(balancer.url("/bread"));
        browser.awaitText("position", "1");
        Awaitility.await().until(() -> streams.get() > 0);
    }

    private void enters(Browser browser, RefusingBalancer balancer) {
        room.inside().leave();
        browser.await(titleIs(FullWaitingRoom.SHOP));
        assertThat(browser.url()).isEqualTo(balancer.url("/bread"));
    }

    @Test
    void entersAtAnAddressWithAFragment() {
        try (Browser browser = Browser.withScript()) {
            browser.open(room.url("/bread#crust"));
            browser.awaitText("position", "1");

            room.inside().leave();
            browser.await(titleIs(FullWaitingRoom.SHOP));
            assertThat(browser.url()).as("the requested place").isEqualTo(room.url("/bread#crust"));
        }
    }
}
