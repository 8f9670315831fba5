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
            new EpochReplicator(List.of("one:1", "two:2"), fixture.resources, fixture.encoding);
    private final FakeMemcachedConnection one =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
    private final FakeMemcachedConnection two =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void readFirstMarker() {
        fixture.state.observed(0, MemcachedFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void usesTheRecordOnlyForServersNotReadYet() {
        maintain(one, null);
        byte[] other = "ffeeddccbbaa99887766554433221100:5".getBytes(US_ASCII);

        assertThat(one.response(found(record(other, MemcachedFixture.OTHER_MARKER) + "three:3 00:1\nnothing\n")))
                .isEqualTo("gets test:1:marks\r\n");
        fixture.settle();

        assertThat(fixture.state.marker(0)).isEqualTo(MemcachedFixture.MARKER);
        assertThat(fixture.state.marker(1)).isEqualTo(MemcachedFixture.OTHER_MARKER);
    }

    @Test
    void usesTheRecordForEachServer() {
        try (MemcachedFixture young = new MemcachedFixture(2)) {
            EpochReplicator first = new EpochReplicator(List.of("one:1", "two:2"), young.resources, young.encoding);
            first.maintain(new ArrayList<>(Arrays.asList(one, null)));

            one.response(found(NOTE));
            young.settle();

            assertThat(young.state.marker(0)).isEqualTo(MemcachedFixture.MARKER);
            assertThat(young.state.marker(1)).isEqualTo(MemcachedFixture.OTHER_MARKER);
        }
    }

    @Test
    void readsTheRecordOncePerConnection() {
        maintain(one, null);
        assertThat(one.waiting()).isEqualTo(1);
        maintain(one, null);
        assertThat(one.waiting()).isEqualTo(1);

        maintain(null, null);
        maintain(one, null);
        assertThat(one.waiting()).as("it was disconnected meanwhile").isEqualTo(2);
    }

    @Test
    void readsAgainAfterAFailedRequest() {
        one.takes = false;
        maintain(one, null);
        one.takes = true;
        maintain(one, null);

        assertThat(one.waiting()).isEqualTo(1);
    }

    @Test
    void writesTheRecordWhenAllMarkersAreKnownAndAfterEachChange() {
        maintain(one, null);
        one.response("END\r\n");
        maintain(one, null);
        assertThat(one.waiting()).as("one marker is not known yet").isZero();

        fixture.state.observed(1, MemcachedFixture.OTHER_MARKER);
        maintain(one, two);
        assertThat(one.response("STORED\r\n"))
                .isEqualTo("set test:1:marks 0 0 " + NOTE.length() + "\r\n" + NOTE + "\r\n");
        assertThat(two.response("END\r\n")).as("reads first").startsWith("gets ");
        maintain(one, two);
        assertThat(two.response("STORED\r\n")).startsWith("set test:1:marks ");
        maintain(one, two);
        assertThat(one.waiting() + two.waiting()).isZero();

        fixture.state.observed(1, MemcachedFixture.MARKER);
        maintain(one, two);
        assertThat(one.response("STORED\r\n")).contains(record(MemcachedFixture.MARKER, MemcachedFixture.MARKER));
    }

    @Test
    void doesNotWriteAnUnchangedRecord() {
        fixture.state.observed(1, MemcachedFixture.OTHER_MARKER);
        maintain(one, two);
        one.response(found(NOTE));
        two.response("END\r\n");
        fixture.settle();

        maintain(one, two);

        assertThat(one.waiting()).isZero();
        assertThat(two.waiting()).isEqualTo(1);
    }

    @Test
    void writesAgainAfterAFailedRequest() {
        fixture.state.observed(1, MemcachedFixture.OTHER_MARKER);
        maintain(one, two);
        one.response("END\r\n");
        one.takes = false;
        maintain(one, two);
        one.takes = true;

        maintain(one, two);

        assertThat(one.waiting()).isEqualTo(1);
    }

    private void maintain(@Nullable MemcachedConnection... connections) {
        replicator.maintain(new ArrayList<>(Arrays.asList(connections)));
    }

    private static String record(byte[] first, byte[] second) {
        return "one:1 " + new String(first, US_ASCII) + "\ntwo:2 " + new String(second, US_ASCII) + "\n";
    }

    private static String found(String text) {
        return "VALUE test:1:marks 0 " + text.length() + " 1\r\n" + text + "\r\nEND\r\n";
    }
}
