package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.UpstreamChannel;
import dev.postern.core.testing.UpstreamEvents;
import dev.postern.core.transport.ReceiveWindows;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the windows that a server over a distance of 50 ms gets for its responses, on a loop whose time the test moves. */
@ExtendWith(LeakExtension.class)
class GrowingResponseWindowsTest {

    private static final int FIRST = 65_535;
    private static final int MAX = 4 << 20;
    private static final int PIECE = 16_384;
    private static final long ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(50);

    private final Map<Integer, Integer> windows = new HashMap<>(Map.of(0, FIRST));
    private ReceiveWindows process = new ReceiveWindows(64 << 20, of -> ROUND_TRIP);
    private @Nullable UpstreamChannel opened;

    private void begin() {
        process.max(MAX);
        opened = new UpstreamChannel(process);
        upstream().server().frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(1, 0));
        readUpdates();
    }

    private UpstreamChannel upstream() {
        return Objects.requireNonNull(opened);
    }

    @AfterEach
    void close() {
        upstream().close();
        assertThat(process.granted()).as("granted after the end").isZero();
    }

    /** Sends a request whose response has no end. */
    private UpstreamEvents request(int stream) {
        UpstreamEvents exchange = upstream().send(UpstreamChannel.head("GET", "/"));
        upstream().server().headers(stream, false, ":status", "200");
        windows.put(stream, FIRST);
        readUpdates();
        return exchange;
    }

    private void readUpdates() {
        for (FrameClient.Frame frame : upstream().server().arrived()) {
            if (frame.type() == FrameClient.WINDOW_UPDATE) {
                windows.merge(frame.stream(), frame.number(0), Integer::sum);
            }
        }
    }

    private int window(int stream) {
        return windows.getOrDefault(stream, 0);
    }

    /** Sends all that the windows allow at once, a round trip after the last time; returns the bytes. */
    private int sendAllowed(int stream) {
        upstream().pass(Duration.ofNanos(ROUND_TRIP));
        int left = Math.min(window(stream), window(0));
        windows.merge(stream, -left, Integer::sum);
        windows.merge(0, -left, Integer::sum);
        for (int rest = left; rest > 0; rest -= PIECE) {
            upstream().server().frame(FrameClient.DATA, 0, stream, new byte[Math.min(rest, PIECE)]);
        }
        readUpdates();
        return left;
    }

    private void grow(int stream) {
        for (int i = 0; i < 12; i++) {
            sendAllowed(stream);
        }
    }

    @Test
    void theConnectionHasTheLargestWindowFromTheFirst() {
        begin();
        assertThat(window(0)).isEqualTo(MAX);
    }

    @Test
    void aResponseThatIsReadGetsTheMaximum() {
        begin();
        UpstreamEvents exchange = request(1);
        assertThat(sendAllowed(1)).isEqualTo(FIRST);
        grow(1);
        assertThat(sendAllowed(1)).isBetween(MAX / 2 + 1, MAX);
        assertThat(process.granted()).isBetween((long) MAX / 2, (long) MAX - FIRST);

        exchange.stream().pause();
        long taken = exchange.bytes();
        int held = sendAllowed(1) + sendAllowed(1) + sendAllowed(1);
        assertThat(held).isBetween(MAX / 2, MAX);
        assertThat(exchange.bytes()).as("the handler takes nothing").isEqualTo(taken);
        exchange.stream().abort();
        upstream().sent();
        assertThat(process.granted()).isZero();
    }

    /** A client that reads nothing blocks its own response, and no other. */
    @Test
    void aResponseThatIsHeldLeavesTheWindowOfTheConnection() {
        begin();
        UpstreamEvents exchange = request(1);
        exchange.stream().pause();
        assertThat(sendAllowed(1)).isEqualTo(FIRST);
        assertThat(sendAllowed(1)).isZero();
        assertThat(window(0)).isGreaterThanOrEqualTo(MAX - MAX / 8);
        assertThat(process.granted()).isZero();
    }

    @Test
    void aWindowStaysCountedWhileItsResponseIsHeldForTheClient() {
        begin();
        UpstreamEvents exchange = request(1);
        grow(1);
        exchange.stream().pause();
        sendAllowed(1);
        upstream().server().data(1, true, ""); // the stream is closed; its data is not delivered
        assertThat(process.granted()).isPositive();
        exchange.stream().resume();
        assertThat(process.granted()).isZero();
    }

    @Test
    void aLostConnectionReturnsItsWindows() {
        begin();
        request(1);
        grow(1);
        assertThat(process.granted()).isPositive();
        upstream().channel().lose();
        assertThat(process.granted()).isZero();
    }

    @Test
    void allResponsesTogetherGetNoMoreThanTheBudget() {
        process = new ReceiveWindows(300_000, of -> ROUND_TRIP);
        begin();
        request(1);
        grow(1);
        assertThat(process.granted()).isEqualTo(300_000);
        request(3);
        grow(3);
        assertThat(sendAllowed(3)).isEqualTo(FIRST);
        assertThat(process.granted()).isEqualTo(300_000);
    }

    @Test
    void withoutARoundTripTimeTheWindowStays() {
        process = new ReceiveWindows(64 << 20, of -> 0);
        begin();
        request(1);
        grow(1);
        assertThat(sendAllowed(1)).isEqualTo(FIRST);
    }
}
