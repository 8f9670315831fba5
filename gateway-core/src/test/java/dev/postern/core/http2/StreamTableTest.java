package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how many streams are remembered after their end. */
class StreamTableTest {

    @Test
    void remembersTheStreamsAddedLast() {
        StreamTable.RecentStreams recent = new StreamTable.RecentStreams(3);
        for (int id = 1; id <= 7; id += 2) {
            recent.add(id);
        }
        assertThat(recent.contains(1)).isFalse();
        assertThat(recent.contains(3)).isTrue();
        assertThat(recent.contains(5)).isTrue();
        assertThat(recent.contains(7)).isTrue();
    }

    /** A stream that is added twice does not displace another one. */
    @Test
    void addsEachStreamOnce() {
        StreamTable.RecentStreams recent = new StreamTable.RecentStreams(2);
        recent.add(1);
        recent.add(3);
        recent.add(3);
        assertThat(recent.contains(1)).isTrue();
        recent.add(5);
        assertThat(recent.contains(1)).isFalse();
        assertThat(recent.contains(3)).isTrue();
    }

    /** All open streams, and as many new ones, can be reset before the client sees the first reset. */
    @ParameterizedTest
    @CsvSource({"1, 64", "32, 64", "33, 66", "128, 256"})
    void remembersTwiceTheOpenStreams(int maxStreams, int remembered) {
        StreamTable table = new StreamTable(new DefaultHttp2Connection(true), maxStreams);
        for (int i = 0; i <= remembered; i++) {
            table.reset(2 * i + 1);
        }
        assertThat(table.wasReset(1)).isFalse();
        assertThat(table.wasReset(3)).isTrue();
        assertThat(table.wasReset(2 * remembered + 1)).isTrue();
        assertThat(table.wasClosed(3)).isFalse();
        assertThat(table.size()).isZero();
    }
}
