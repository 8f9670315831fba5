package dev.postern.load.experiment.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.crowd.Stretches;
import dev.postern.load.crowd.Stretches.Stretch;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionsTest {
    @Test
    void readTheOrderFromTheFirstRequestOfEachVisitor() {
        Stretches seen = new Stretches(
                List.of(new Stretch(30, 40, "room-0"), new Stretch(10, 20, "room-1"), new Stretch(50, 60, "room-1")));

        Admissions admissions = Admissions.of(Variant.QUEUE_MEMORY, seen, 3);

        assertThat(admissions.order()).containsExactly(1, 0);
        assertThat(admissions.visitors()).isEqualTo(3);
    }

    @Test
    void compareTheOrderWithThatOfArrival() {
        assertThat(tau(0, 1, 2, 3, 4)).isEqualTo(1, within(1e-9));
        assertThat(tau(4, 3, 2, 1, 0)).isEqualTo(-1, within(1e-9));
        assertThat(tau(0, 2, 1, 3, 4)).as("one of ten pairs is swapped").isEqualTo(0.8, within(1e-9));
        assertThat(tau(2, 0, 1, 4, 3)).as("three of ten pairs are swapped").isEqualTo(0.4, within(1e-9));
    }

    @Test
    void haveNoOrderWithoutTwoVisitors() {
        assertThat(tau()).isNaN();
        assertThat(tau(0)).isNaN();
    }

    @Test
    void countLaterVisitorsThatWereFirst() {
        assertThat(admissions(0, 1, 2).overtakers()).isZero();
        assertThat(admissions(3, 0, 4, 5, 1, 2).overtakers()).isEqualTo(3);
    }

    private static double tau(Integer... order) {
        return admissions(order).tau();
    }

    private static Admissions admissions(Integer... order) {
        return new Admissions(Variant.QUEUE_MEMORY, List.of(order), order.length);
    }
}
