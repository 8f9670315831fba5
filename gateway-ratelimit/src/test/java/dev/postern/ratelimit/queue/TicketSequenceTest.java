package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TicketSequenceTest {

    private static final long EPOCH = 1_000_000;

    private static final long LOT = 0x10006c70L;

    private final TicketSequence sequence = new TicketSequence(EPOCH);

    @Test
    void ticketsAreTheClockOrOneMoreThanTheLast() {
        assertThat(sequence.inOrder(EPOCH)).isEqualTo(EPOCH);
        assertThat(sequence.inOrder(EPOCH)).isEqualTo(EPOCH + 1);
        assertThat(sequence.inOrder(EPOCH + 1)).isEqualTo(EPOCH + 2);
        assertThat(sequence.inOrder(EPOCH + 10)).isEqualTo(EPOCH + 10);
    }

    /** The SHA-1 of {@code s1:10000000000} begins with 10006c70, as in the script. */
    @Test
    void aLotIsTheFirst32BitsOfADigest() {
        long opens = 10_000_000_000L;

        assertThat(sequence.shuffled("s1", opens)).isEqualTo(opens - 1 - LOT);
        assertThat(sequence.inOrder(EPOCH)).as("a later ticket goes behind").isEqualTo(opens);
    }

    @Test
    void ordersTenantsByTheirFinishTimes() {
        TenantShare one = new TenantShare("one", 1);
        TenantShare two = new TenantShare("two", 2);

        assertThat(sequence.fair(one, EPOCH + 5, true)).isEqualTo(EPOCH + 1_005);
        assertThat(sequence.fair(one, EPOCH + 9, false)).isEqualTo(EPOCH + 2_005);
        assertThat(sequence.fair(two, EPOCH + 9, false)).isEqualTo(EPOCH + 505);
        sequence.admitted(EPOCH + 505);
        sequence.admitted(EPOCH + 1);
        assertThat(sequence.fair(new TenantShare("new", 1), EPOCH + 9, false)).isEqualTo(EPOCH + 1_505);
    }

    @Test
    void noTicketPrecedesTheEpoch() {
        assertThat(sequence.fair(new TenantShare("one", 1), 0, false)).isEqualTo(EPOCH + 1_000);
        sequence.restored(new TenantShare("back", 1), EPOCH + 5_000);
        sequence.restored(new TenantShare("back", 1), EPOCH + 4_000);
        assertThat(sequence.fair(new TenantShare("back", 1), 0, false)).isEqualTo(EPOCH + 6_000);
    }
}
