package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitQueueTest {

    private final WaitQueue queue = new WaitQueue();

    @Test
    void anAbsentPlaceCountsForItsNetworkUntilItIsRemoved() {
        queue.addAbsent(new AbsentPlaces.Place("session", 7, 1, "net"), 10);
        assertThat(queue.places("net")).isOne();
        assertThat(queue.remove("session")).isEqualTo(7);
        assertThat(queue.places("net")).isZero();
        assertThat(queue.remove("session")).isZero();
    }
}
