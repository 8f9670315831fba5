package dev.postern.load.worker;

/** Sequence numbers of the messages that one flow sent and of those that came back. Not thread-safe. */
final class Sequence {
    private int sent;
    private int arrived;
    private int highest = -1;
    private int outOfOrder;

    /** Returns the number of the next message, from 0. */
    int next() {
        return sent++;
    }

    /** Counts a message that came back: out of order if a later one came before it, if it repeats, or if it was never sent. */
    void arrived(int number) {
        arrived++;
        if (number <= highest || number >= sent) {
            outOfOrder++;
        } else {
            highest = number;
        }
    }

    int outOfOrder() {
        return outOfOrder;
    }

    int arrived() {
        return arrived;
    }

    /** Returns how many messages have not come back; none is on its way any more. */
    int missing() {
        return Math.max(0, sent - arrived);
    }
}
