package dev.postern.load.experiment.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.crowd.Stretches;
import dev.postern.load.crowd.Stretches.Stretch;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.experiment.queue.Sessions.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final long BEGIN = 7_000_000;
    private static final long SECOND = 1_000_000;

    @Test
    void countFromTheFirstSessionOnIfAllOfThemQueue() {
        assertThat(seen(Load.POLITE, at(0, 8), at(1, 9), at(2, 9), at(12, 14), at(13, 15))
                        .peak())
                .isEqualTo(3);
    }

    @Test
    void leaveOutTheFirstSecondsIfSomePassAtTheBaseRate() {
        assertThat(seen(Load.IMPATIENT, at(0, 8), at(1, 9), at(2, 9), at(12, 14), at(13, 15))
                        .peak())
                .isEqualTo(2);
        assertThat(seen(Load.IMPATIENT, at(0, 8), at(1, 9)).peak()).isZero();
    }

    @Test
    void becomePointsOverTime() {
        assertThat(seen(Load.POLITE, at(0, 4), at(1, 3)).points())
                .containsExactly(new Point(0, 1), new Point(1, 2), new Point(3, 1), new Point(4, 0));
    }

    @Test
    void areNoneIfTheOriginSawNone() {
        Sessions none = seen(Load.POLITE);
        assertThat(none.peak()).isZero();
        assertThat(none.points()).isEmpty();
    }

    private static Stretch at(long first, long last) {
        return new Stretch(BEGIN + first * SECOND, BEGIN + last * SECOND, "room-" + first);
    }

    private static Sessions seen(Load load, Stretch... stretches) {
        return new Sessions(new Room(load, Variant.QUEUE_MEMORY), new Stretches(List.of(stretches)));
    }
}
