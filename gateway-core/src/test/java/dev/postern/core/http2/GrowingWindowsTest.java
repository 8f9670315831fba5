package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.RequestBody;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
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

/** Tests the windows that a client over a distance of 50 ms gets, on a loop whose time the test moves. */
@ExtendWith(LeakExtension.class)
class GrowingWindowsTest {

    private static final int FIRST = 65_536;
    private static final int FIRST_OF_CONNECTION = 16 * FIRST;
    private static final int MAX = 4 << 20;
    private static final int PIECE = 16_384;

    /** Window of a connection before any WINDOW_UPDATE (RFC 9113 section 6.9.2). */
    private static final int DEFAULT = 65_535;

    private static final long ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(50);

    private final Map<Integer, Integer> windows = new HashMap<>(Map.of(0, DEFAULT));
    private ReceiveWindows process = new ReceiveWindows(64 << 20, of -> ROUND_TRIP);
    private @Nullable ServerChannel opened;

    private void begin() {
        process.max(MAX);
        opened = new ServerChannel(ServerChannel.Setup.usual().windows(process));
        server().client().greet();
        readUpdates();
    }

    private ServerChannel server() {
        return Objects.requireNonNull(opened);
    }

    @AfterEach
    void close() {
        server().close();
        assertThat(process.granted()).as("granted after the end").isZero();
    }

    private RequestBody post(int stream) {
        windows.put(stream, FIRST);
        return server().post(stream).body();
    }

    private void readUpdates() {
        for (FrameClient.Frame frame : server().client().arrived()) {
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
        server().pass(Duration.ofNanos(ROUND_TRIP));
        int left = Math.min(window(stream), window(0));
        windows.merge(stream, -left, Integer::sum);
        windows.merge(0, -left, Integer::sum);
        for (int rest = left; rest > 0; rest -= PIECE) {
            server().client().frame(FrameClient.DATA, 0, stream, new byte[Math.min(rest, PIECE)]);
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
    void anUploadThatIsReadGetsTheMaximum() {
        begin();
        post(1).read(new BodyEvents());
        assertThat(sendAllowed(1)).isEqualTo(FIRST);
        grow(1);

        assertThat(sendAllowed(1)).isBetween(MAX / 2 + 1, MAX); // a window is refilled when half of it is used
        assertThat(process.granted()).isBetween((long) MAX - FIRST_OF_CONNECTION, (long) MAX);
    }

    @Test
    void aLaterUploadOverTheSameConnectionGrowsSooner() {
        begin();
        post(1).read(new BodyEvents());
        grow(1);
        post(3).read(new BodyEvents());
        assertThat(sendAllowed(3)).isEqualTo(FIRST);
        int second = sendAllowed(3);
        post(5); // not read
        assertThat(sendAllowed(5)).isEqualTo(FIRST);

        assertThat(second).isGreaterThan(6 * FIRST);
        assertThat(sendAllowed(5)).as("of a body that is not read").isZero();
    }

    @Test
    void noMoreIsHeldThanTheConnectionWindowWhateverTheClientFillsAndLeaves() {
        begin();
        RequestBody body = post(1);
        BodyEvents taker = new BodyEvents();
        body.read(taker);
        grow(1);
        body.pause();
        long taken = taker.bytes();
        long sent = 0;
        for (int i = 0; i < 12; i++) {
            sent += sendAllowed(1);
        }
        for (int stream = 3; stream < 60; stream += 2) {
            post(stream); // which the test does not read
            sent += sendAllowed(stream);
        }

        assertThat(taker.bytes()).isEqualTo(taken);
        assertThat(sent).as("held").isLessThanOrEqualTo(MAX + FIRST_OF_CONNECTION);
        assertThat(process.granted()).isLessThanOrEqualTo(MAX);
    }

    @Test
    void aBodyThatIsHeldGetsNoLargerWindow() {
        begin();
        RequestBody body = post(1); // not read
        assertThat(sendAllowed(1)).isEqualTo(FIRST);
        assertThat(sendAllowed(1)).isZero();
        assertThat(process.granted()).isZero();
        body.read(new BodyEvents());
        readUpdates();

        assertThat(sendAllowed(1)).isEqualTo(FIRST);
    }

    @Test
    void aStalledUploadLeavesWindowToOthers() {
        process = new ReceiveWindows(0, of -> ROUND_TRIP); // nothing is granted
        begin();
        RequestBody body = post(1);
        body.read(new BodyEvents());
        grow(1);
        body.pause();
        int held = sendAllowed(1);
        post(3).read(new BodyEvents());

        assertThat(held).isBetween(FIRST_OF_CONNECTION / 8 + 1, FIRST_OF_CONNECTION / 4);
        assertThat(sendAllowed(3)).isEqualTo(FIRST);
    }

    @Test
    void anExhaustedBudgetLeavesTheFirstWindowsAndIsWholeAtTheEnd() {
        process = new ReceiveWindows(1 << 20, of -> ROUND_TRIP);
        begin();
        post(1).read(new BodyEvents());
        grow(1);
        assertThat(process.granted()).isEqualTo(1 << 20);
        assertThat(process.take(1)).isZero();

        assertThat(sendAllowed(1)).isBetween(FIRST_OF_CONNECTION / 4, FIRST_OF_CONNECTION + (1 << 20));
    }

    @Test
    void withoutARoundTripTimeWindowsStay() {
        process = new ReceiveWindows(64 << 20, of -> 0);
        begin();
        post(1).read(new BodyEvents());
        grow(1);

        assertThat(sendAllowed(1)).isEqualTo(FIRST);
    }
}
