package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.store.StoreReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkedConnectionTest {

    private final List<String> received = new ArrayList<>();
    private final MarkedConnection connection = new MarkedConnection(new RecordedEvents(received));

    @Test
    void dropsTheMarkerWithTheConnection() {
        connection.established();
        connection.marker(new byte[] {1});

        connection.lost();

        assertThat(connection.marker()).isNull();
        assertThat(connection.connected()).isFalse();
        assertThat(received).containsExactly("established", "lost");
    }

    @Test
    void hasNoMarkerOnANewConnectionUntilItIsRead() {
        connection.established();
        connection.marker(new byte[] {1});

        connection.established();

        assertThat(connection.marker()).isNull();
        assertThat(connection.connected()).isTrue();
    }

    @Test
    void doubtsTheServerOnlyWhenItReturnsAnotherMarkerOrNone() {
        byte[] marker = {1};
        connection.marker(marker);
        assertThat(connection.found(null)).isNull();
        assertThat(connection.found(new GetsReply.Response(StoreReply.REFUSED, null, 0)))
                .isNull();
        assertThat(connection.found(new GetsReply.Response(StoreReply.LOST, null, 0)))
                .isNull();
        assertThat(connection.found(new GetsReply.Response(StoreReply.STORED, marker.clone(), 1)))
                .isEqualTo(marker);
        assertThat(connection.marker()).isEqualTo(marker);
        assertThat(received).isEmpty();

        assertThat(connection.found(new GetsReply.Response(StoreReply.NOT_STORED, null, 0)))
                .isNull();
        assertThat(connection.marker()).isNull();
        connection.marker(marker);
        assertThat(connection.found(new GetsReply.Response(StoreReply.STORED, new byte[] {2}, 2)))
                .isEqualTo(new byte[] {2});

        assertThat(connection.marker()).isNull();
        assertThat(received).containsExactly("doubt", "doubt");
    }

    @Test
    void passesOnTheCauseOfItsEnd() {
        connection.failed(new IOException("planted"));

        assertThat(received).containsExactly("failed");
    }
}
