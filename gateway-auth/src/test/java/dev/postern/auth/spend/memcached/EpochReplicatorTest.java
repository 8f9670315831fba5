package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EpochReplicatorTest {

    private static final String NOTE = note(Rig.MARK, Rig.OTHER_MARK);

    private final Rig rig = new Rig(2);
    private final EpochReplicator replicator = new EpochReplicator(List.of("one:1", "two:2"), rig.resources, rig.keys);
    private final FakePipe one = new FakePipe(new MarkedConnection(new MarkedConnection.Listener() {}));
    private final FakePipe two = new FakePipe(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void seeTheFirst() {
        rig.marks.seen(0, Rig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void believesANoteOnlyOfServersNotSeenYet() {
        tend(one, null);
        byte[] other = "ffeeddccbbaa99887766554433221100:5".getBytes(US_ASCII);

        assertThat(one.response(found(note(other, Rig.OTHER_MARK) + "three:3 00:1\nnothing\n")))
                .isEqualTo("gets test:1:marks\r\n");
        rig.settle();

        assertThat(rig.marks.mark(0)).isEqualTo(Rig.MARK);
        assertThat(rig.marks.mark(1)).isEqualTo(Rig.OTHER_MARK);
    }

    @Test
    void readsTheNoteOncePerConnection() {
        tend(one, null);
        assertThat(one.waiting()).isEqualTo(1);
        tend(one, null);
        assertThat(one.waiting()).isEqualTo(1);

        tend(null, null);
        tend(one, null);
        assertThat(one.waiting()).as("it was away meanwhile").isEqualTo(2);
    }

    @Test
    void readsAgainWhatItCouldNotAskFor() {
        one.takes = false;
        tend(one, null);
        one.takes = true;
        tend(one, null);

        assertThat(one.waiting()).isEqualTo(1);
    }

    @Test
    void writesTheNoteOnceItHasSeenAllAndAgainWhenAMarkChanges() {
        tend(one, null);
        one.response("END\r\n");
        tend(one, null);
        assertThat(one.waiting()).as("one is not seen yet").isZero();

        rig.marks.seen(1, Rig.OTHER_MARK);
        tend(one, two);
        assertThat(one.response("STORED\r\n"))
                .isEqualTo("set test:1:marks 0 0 " + NOTE.length() + "\r\n" + NOTE + "\r\n");
        assertThat(two.response("END\r\n")).as("reads first").startsWith("gets ");
        tend(one, two);
        assertThat(two.response("STORED\r\n")).startsWith("set test:1:marks ");
        tend(one, two);
        assertThat(one.waiting() + two.waiting()).isZero();

        rig.marks.seen(1, Rig.MARK);
        tend(one, two);
        assertThat(one.response("STORED\r\n")).contains(note(Rig.MARK, Rig.MARK));
    }

    @Test
    void doesNotWriteWhatIsThere() {
        rig.marks.seen(1, Rig.OTHER_MARK);
        tend(one, two);
        one.response(found(NOTE));
        two.response("END\r\n");
        rig.settle();

        tend(one, two);

        assertThat(one.waiting()).isZero();
        assertThat(two.waiting()).isEqualTo(1);
    }

    @Test
    void writesAgainWhatItCouldNotSend() {
        rig.marks.seen(1, Rig.OTHER_MARK);
        tend(one, two);
        one.response("END\r\n");
        one.takes = false;
        tend(one, two);
        one.takes = true;

        tend(one, two);

        assertThat(one.waiting()).isEqualTo(1);
    }

    private void tend(@Nullable MemcachedConnection... pipes) {
        replicator.tend(new ArrayList<>(Arrays.asList(pipes)));
    }

    private static String note(byte[] first, byte[] second) {
        return "one:1 " + new String(first, US_ASCII) + "\ntwo:2 " + new String(second, US_ASCII) + "\n";
    }

    private static String found(String text) {
        return "VALUE test:1:marks 0 " + text.length() + " 1\r\n" + text + "\r\nEND\r\n";
    }
}
