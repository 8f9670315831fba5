package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Activity.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests what an attempt says about the side that it waits for. */
class AttemptActivityTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AttemptActivity activity = new AttemptActivity();

    @Test
    void waitsForTheBody() {
        activity.begin(0);
        activity.wanted(0);
        assertThat(activity.request(true, 3 * SECOND)).isEqualTo(new Activity(Kind.CLIENT, 3 * SECOND));
        activity.received(1 << 20, 3 * SECOND);
        assertThat(activity.request(true, 3 * SECOND)).isEqualTo(new Activity(Kind.CLIENT, 0));
        activity.unwanted(4 * SECOND);
        assertThat(activity.request(false, 9 * SECOND)).isEqualTo(new Activity(Kind.UPSTREAM, 6 * SECOND));
    }

    @Test
    void waitsForAClientThatTakesNothing() {
        activity.begin(0);
        activity.written(1000);
        activity.left(400, SECOND);
        assertThat(activity.response(400, 5 * SECOND)).isEqualTo(new Activity(Kind.CLIENT, 4 * SECOND));
        assertThat(activity.response(0, 6 * SECOND)).isEqualTo(new Activity(Kind.OPEN, 0));
        assertThat(activity.response(0, 8 * SECOND)).isEqualTo(new Activity(Kind.OPEN, 2 * SECOND));
    }

    @Test
    void aClientThatTakesItsResponseSlowlyIsNotAwaited() {
        long all = 1 << 20;
        activity.begin(0);
        activity.written((int) all);
        for (int second = 1; second <= 60; second++) {
            Activity now = activity.response(all - second * 10_240L, second * SECOND);
            assertThat(now.kind()).isEqualTo(Kind.CLIENT);
            assertThat(now.nanos()).isLessThanOrEqualTo(SECOND);
        }
    }

    @Test
    void anOpenStreamIsActiveInBothDirections() {
        activity.begin(0);
        activity.written(1);
        activity.left(0, SECOND);
        assertThat(activity.response(0, 3 * SECOND)).isEqualTo(new Activity(Kind.OPEN, 2 * SECOND));
        activity.received(1, 4 * SECOND);
        assertThat(activity.response(0, 5 * SECOND)).isEqualTo(new Activity(Kind.OPEN, SECOND));
    }
}
