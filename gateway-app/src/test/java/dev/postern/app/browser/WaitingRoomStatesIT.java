package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the waiting page while there is no position: before an opening, in a crowded network, and without the store. */
@Tag("browser")
class WaitingRoomStatesIT {

    private static final String EARLY = "It opens soon";
    private static final String IN_LINE = "You are in line";
    private static final String NO_POSITION = "\u2013";
    /** Seconds that are shown as full hours for the next 59 minutes. */
    private static final int TWO_HOURS = 8_940;

    private static final int THREE_HOURS = 12_540;
    private static final String ABOUT_THREE_HOURS = "about 3 h";

    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    private Browser browser() {
        return BROWSER.browser();
    }

    private static ServerProcess redis() {
        ServerProcess redis = RedisExtension.process(ServerProcess.freePort());
        redis.start();
        return redis;
    }

    private static void opens(FullWaitingRoom room, int seconds) {
        Instant at = Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS);
        room.control("{\"opens-at\": \"" + at + "\"}");
    }

    private void expectEarly(String time) {
        browser().awaitText("time", time);
        assertThat(browser().text("position")).isEqualTo("by lot");
        assertThat(browser().text("room"))
                .contains(EARLY, "Opens in")
                .doesNotContain(IN_LINE, "The connection is interrupted.");
    }

    @Test
    void anEarlyVisitorSeesTheTimeAndEntersAfterTheOpening() {
        try (FullWaitingRoom room = new FullWaitingRoom("absence: 4s")) {
            opens(room, THREE_HOURS);
            browser().open(room.url("/bread"));
            expectEarly(ABOUT_THREE_HOURS);
            browser().run("window.untouched = true");
            opens(room, TWO_HOURS);
            expectEarly("about 2 h");
            assertThat(browser().run("return window.untouched")).isEqualTo(true);

            opens(room, 2);
            browser().awaitText("position", "1");
            assertThat(browser().text("room"))
                    .contains(IN_LINE, "Estimated wait")
                    .doesNotContain(EARLY);
            room.inside().leave();
            browser().await(titleIs(FullWaitingRoom.SHOP));
            assertThat(browser().url()).isEqualTo(room.url("/bread"));
        }
    }

    @Test
    void anEarlyVisitorWhoComesBackWithoutTheStoreIsEarlyAgainWithIt() {
        try (ServerProcess redis = redis();
                FullWaitingRoom room = FullWaitingRoom.stored(redis.address(), "absence: 4s")) {
            opens(room, THREE_HOURS);
            browser().open(room.url("/bread"));
            expectEarly(ABOUT_THREE_HOURS);
            redis.freeze();
            try {
                browser().open(room.url("/bread"));
                assertThat(browser().text("position")).isEqualTo(NO_POSITION);
                assertThat(browser().text("time")).isEqualTo("a while");
                assertThat(browser().text("room")).contains(IN_LINE).doesNotContain(EARLY);
            } finally {
                redis.thaw();
            }
            expectEarly(ABOUT_THREE_HOURS);

            room.control("{\"opens-at\": \"now\"}");
            browser().awaitText("position", "1");
            room.control("{\"active-sessions\": 2}");
            browser().await(titleIs(FullWaitingRoom.SHOP));
        }
    }

    @Test
    @Tag("long")
    void aVisitorKeepsThePlaceWithoutTheStore() {
        try (ServerProcess redis = redis();
                FullWaitingRoom room = FullWaitingRoom.stored(redis.address(), "absence: 4s");
                Visit visit = new Visit(browser(), room, List.of())) {
            visit.begin();
            RoomClient behind = room.come();
            assertThat(behind.enter()).isFalse();
            visit.awaitScript();
            browser().run("window.untouched = true");
            redis.freeze();
            try {
                int before = visit.network().received().size();
                Awaitility.await().until(() -> visit.network().received().size() > before + 2);
                assertThat(browser().text("position")).isEqualTo("1");
                assertThat(browser().element("trouble").isDisplayed()).isFalse();
                assertThat(browser().run("return window.untouched")).isEqualTo(true);
                visit.begin();
            } finally {
                redis.thaw();
            }
            room.control("{\"active-sessions\": 2}");
            visit.expectEntry();
            assertThat(behind.enter()).isFalse();
        }
    }

    /** One network has five places at once, and more only while it has fewer than are free: of ten, no sixth one. */
    @Test
    @Tag("long")
    void aVisitorOfACrowdedNetworkGetsThePlaceWhenAnotherLeaves() {
        try (FullWaitingRoom room = new FullWaitingRoom("absence: 5m, max-waiting: 10");
                Visit visit = new Visit(browser(), room, List.of())) {
            List<RoomClient> ahead = Stream.generate(room::come).limit(5).toList();
            assertThat(ahead).noneMatch(RoomClient::enter);
            visit.open();
            visit.awaitScript();
            assertThat(browser().text("position")).isEqualTo(NO_POSITION);
            assertThat(browser().text("time")).isNotEmpty();
            assertThat(browser().text("room")).contains(IN_LINE);
            assertThat(room.places()).isEqualTo(5);

            room.inside().leave();
            Awaitility.await().until(ahead.get(0)::enter);
            browser().awaitText("position", "5");
            assertThat(room.places()).isEqualTo(5);
            ahead.get(0).leave();
        }
    }
}
