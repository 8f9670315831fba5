package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoomOrderTest {
    private final RoomOrder order = new RoomOrder();

    @Test
    void acceptsAdmissionInTheOrderOfArrival() {
        arrivals(3);
        order.waits(2, 2);
        order.waits(2, 1);
        order.waits(2, 1);
        admissions(0, 1, 2);

        assertThat(order.missed(3, 0)).isEmpty();
    }

    @Test
    void acceptsAsManyEarlierVisitorsAsThereAreSlots() {
        arrivals(3);
        order.waits(1, 1);
        admissions(2, 0, 1);

        assertThat(order.missed(3, 2)).isEmpty();
        assertThat(found(3, 1)).contains("2 earlier visitors were waiting");
    }

    @Test
    void refusesPositionThatRises() {
        arrivals(1);
        order.waits(0, 3);
        order.waits(0, 4);
        admissions(0);

        assertThat(found(1, 5)).contains("1 positions rose");
    }

    @Test
    void refusesVisitorsThatWereNotAdmitted() {
        arrivals(2);
        order.waits(1, 1);
        admissions(0);

        assertThat(found(2, 5)).contains("1 of 2 visitors admitted");
    }

    @Test
    void refusesRunWithoutQueue() {
        arrivals(1);
        admissions(0);

        assertThat(found(1, 5)).contains("0 of them queued");
    }

    private String found(int visitors, int active) {
        return order.missed(visitors, active).map(MissedGoal::found).orElse("");
    }

    private void arrivals(int count) {
        for (int i = 0; i < count; i++) {
            order.arrived();
        }
    }

    private void admissions(int... visitors) {
        for (int visitor : visitors) {
            order.admitted(visitor);
        }
    }
}
