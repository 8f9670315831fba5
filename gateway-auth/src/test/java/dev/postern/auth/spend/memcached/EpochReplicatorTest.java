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

    private static final String NOTE = record(MemcachedFixture.MARKER, MemcachedFixture.OTHER_MARKER);

    private final MemcachedFixture fixture = new MemcachedFixture(2);
    private final EpochReplicator replicator =
            new EpochReplicator(List.of("one:1", "two:2"), fixture.resources, fixture.keys);
    private final FakeMemcachedConnection one =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
    private final FakeMemcachedConnection two =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void readFirstMarker() {
        fixture.marks.observed(0, MemcachedFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void usesTheRecordOnlyForServersNotReadYet() {
        tend(one, null);
        byte[] other = "ffeeddccbbaa99887766554433221100:5".getBytes(US_ASCII);

        assertThat(one.response(found(record(other, MemcachedFixture.OTHER_MARKER) + "three:3 00:1\nnothing\n")))
                .isEqualTo("gets test:1:marks\r\n");
        fixture.settle();

        assertThat(fixture.marks.marker(0)).isEqualTo(MemcachedFixture.MARKER);
        assertThat(fixture.marks.marker(1)).isEqualTo(MemcachedFixture.OTHER_MARKER);
    }

    @Test
    void readsTheRecordOncePerConnection() {
        tend(one, null);
        assertThat(one.waiting()).isEqualTo(1);
        tend(one, null);
        assertThat(one.waiting()).isEqualTo(1);

        tend(null, null);
        tend(one, null);
        assertThat(one.waiting()).as("it was disconnected meanwhile").isEqualTo(2);
    }

    @Test
    void readsAgainAfterAFailedRequest() {
        one.takes = false;
        tend(one, null);
        one.takes = true;
        tend(one, null);

        assertThat(one.waiting()).isEqualTo(1);
    }

    @Test
    void writesTheRecordWhenAllMarkersAreKnownAndAfterEachChange() {
        tend(one, null);
        one.response("END\r\n");
        tend(one, null);
        assertThat(one.waiting()).as("one marker is not known yet").isZero();

        fixture.marks.observed(1, MemcachedFixture.OTHER_MARKER);
        tend(one, two);
        assertThat(one.response("STORED\r\n"))
                .isEqualTo("set test:1:marks 0 0 " + NOTE.length() + "\r\n" + NOTE + "\r\n");
        assertThat(two.response("END\r\n")).as("reads first").startsWith("gets ");
        tend(one, two);
        assertThat(two.response("STORED\r\n")).startsWith("set test:1:marks ");
        tend(one, two);
        assertThat(one.waiting() + two.waiting()).isZero();

        fixture.marks.observed(1, MemcachedFixture.MARKER);
        tend(one, two);
        assertThat(one.response("STORED\r\n")).contains(record(MemcachedFixture.MARKER, MemcachedFixture.MARKER));
    }

    @Test
    void doesNotWriteAnUnchangedRecord() {
        fixture.marks.observed(1, MemcachedFixture.OTHER_MARKER);
        tend(one, two);
        one.response(found(NOTE));
        two.response("END\r\n");
        fixture.settle();

        tend(one, two);

        assertThat(one.waiting()).isZero();
        assertThat(two.waiting()).isEqualTo(1);
    }

    @Test
    void writesAgainAfterAFailedRequest() {
        fixture.marks.observed(1, MemcachedFixture.OTHER_MARKER);
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

    private static String record(byte[] first, byte[] second) {
        return "one:1 " + new String(first, US_ASCII) + "\ntwo:2 " + new String(second, US_ASCII) + "\n";
    }

    private static String found(String text) {
        return "VALUE test:1:marks 0 " + text.length() + " 1\r\n" + text + "\r\nEND\r\n";
    }
}
