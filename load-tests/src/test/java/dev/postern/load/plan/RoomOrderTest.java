package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.InstanceOfAssertFactories;
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

        assertThatCode(() -> order.check(3, 0)).doesNotThrowAnyException();
    }

    @Test
    void acceptsAsManyEarlierVisitorsAsThereAreSlots() {
        arrivals(3);
        order.waits(1, 1);
        admissions(2, 0, 1);

        assertThatCode(() -> order.check(3, 2)).doesNotThrowAnyException();
        assertThatThrownBy(() -> order.check(3, 1)).hasMessageContaining("2 earlier visitors were waiting");
    }

    @Test
    void refusesPositionThatRises() {
        arrivals(1);
        order.waits(0, 3);
        order.waits(0, 4);
        admissions(0);

        assertThatThrownBy(() -> order.check(1, 5)).hasMessageContaining("1 positions rose");
    }

    @Test
    void refusesVisitorsThatWereNotAdmitted() {
        arrivals(2);
        order.waits(1, 1);
        admissions(0);

        assertThatThrownBy(() -> order.check(2, 5)).hasMessageContaining("1 of 2 visitors admitted");
    }

    @Test
    void refusesRunWithoutQueue() {
        arrivals(1);
        admissions(0);

        assertThatThrownBy(() -> order.check(1, 5))
                .hasMessageContaining("0 of them queued")
                .hasNoCause()
                .extracting(Throwable::getStackTrace)
                .asInstanceOf(InstanceOfAssertFactories.ARRAY)
                .as("a missed goal is one line")
                .isEmpty();
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
