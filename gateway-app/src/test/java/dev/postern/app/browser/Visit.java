package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import dev.postern.core.testing.TestOrigin.Received;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Visit of a browser to a full room, through a network that may have faults. */
final class Visit implements AutoCloseable {

    private static final String PAGE = "/bread";

    private final Browser browser;
    private final FullWaitingRoom room;
    private final FaultyNetwork network;

    Visit(Browser browser, FullWaitingRoom room, List<NetworkFault> faults) {
        this.browser = browser;
        this.room = room;
        this.network = new FaultyNetwork(room.port(), faults);
    }

    Browser browser() {
        return browser;
    }

    FaultyNetwork network() {
        return network;
    }

    /** Opens the page; expects the first place. */
    void begin() {
        open();
        expectFirst();
    }

    void open() {
        browser.open(network.url(PAGE));
    }

    void expectFirst() {
        browser.awaitText("position", "1");
    }

    /** Waits until the script of the page has asked for the place, or has loaded the page again. */
    void awaitScript() {
        Awaitility.await()
                .until(() -> loads() > 1
                        || network.received().stream()
                                .map(Received::line)
                                .anyMatch(line -> line.contains("/.postern/")));
    }

    /** Waits until the page has been loaded more than {@code times} times. */
    void awaitLoads(int times) {
        Awaitility.await().atMost(3, TimeUnit.MINUTES).until(() -> loads() > times);
    }

    private long loads() {
        return network.received().stream()
                .filter(request -> request.line().startsWith("GET " + PAGE + " "))
                .count();
    }

    /** Returns how often pages asked for their own address. */
    long checks() {
        return network.received().stream()
                .filter(request -> request.line().startsWith("HEAD "))
                .count();
    }

    /** Frees the only slot of the room. */
    void turnComes() {
        room.inside().leave();
    }

    void expectEntry() {
        browser.await(titleIs(FullWaitingRoom.SHOP));
        assertThat(browser.url()).isEqualTo(network.url(PAGE));
    }

    @Override
    public void close() {
        network.close();
    }
}
