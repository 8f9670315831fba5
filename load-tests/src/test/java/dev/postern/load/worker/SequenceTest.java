package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequenceTest {
    private final Sequence sequence = new Sequence();

    private void exchange(int sent, int... arrived) {
        for (int i = 0; i < sent; i++) {
            sequence.next();
        }
        for (int number : arrived) {
            sequence.arrived(number);
        }
    }

    private void expect(int outOfOrder, int missing) {
        assertThat(sequence.outOfOrder()).isEqualTo(outOfOrder);
        assertThat(sequence.missing()).isEqualTo(missing);
    }

    @Test
    void acceptsMessagesInOrder() {
        exchange(3, 0, 1, 2);
        exchange(2, 3, 4);
        expect(0, 0);
    }

    @Test
    void findsTwoThatChangedPlaces() {
        exchange(4, 0, 2, 1, 3);
        expect(1, 0);
    }

    @Test
    void findsOneThatIsMissing() {
        exchange(4, 0, 1, 3);
        expect(0, 1);
    }

    @Test
    void findsOneThatRepeats() {
        exchange(3, 0, 1, 1);
        expect(1, 0);
    }

    @Test
    void findsOneThatWasNeverSent() {
        exchange(2, 0, Integer.MAX_VALUE);
        exchange(1, 2);
        expect(1, 0);
    }
}
