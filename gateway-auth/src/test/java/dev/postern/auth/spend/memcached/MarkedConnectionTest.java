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
        connection.mark(new byte[] {1});

        connection.lost();

        assertThat(connection.mark()).isNull();
        assertThat(connection.connected()).isFalse();
        assertThat(received).containsExactly("established", "lost");
    }

    @Test
    void hasNoMarkerOnANewConnectionUntilItIsRead() {
        connection.established();
        connection.mark(new byte[] {1});

        connection.established();

        assertThat(connection.mark()).isNull();
        assertThat(connection.connected()).isTrue();
    }

    @Test
    void doubtsTheServerOnlyWhenItReturnsAnotherMarkerOrNone() {
        byte[] mark = {1};
        connection.mark(mark);
        assertThat(connection.found(null)).isNull();
        assertThat(connection.found(new GetsReply.Response(StoreReply.REFUSED, null, 0)))
                .isNull();
        assertThat(connection.found(new GetsReply.Response(StoreReply.LOST, null, 0)))
                .isNull();
        assertThat(connection.found(new GetsReply.Response(StoreReply.STORED, mark.clone(), 1)))
                .isEqualTo(mark);
        assertThat(connection.mark()).isEqualTo(mark);
        assertThat(received).isEmpty();

        assertThat(connection.found(new GetsReply.Response(StoreReply.NOT_STORED, null, 0)))
                .isNull();
        assertThat(connection.mark()).isNull();
        connection.mark(mark);
        assertThat(connection.found(new GetsReply.Response(StoreReply.STORED, new byte[] {2}, 2)))
                .isEqualTo(new byte[] {2});

        assertThat(connection.mark()).isNull();
        assertThat(received).containsExactly("doubt", "doubt");
    }

    @Test
    void passesOnTheCauseOfItsEnd() {
        connection.failed(new IOException("planted"));

        assertThat(received).containsExactly("failed");
    }
}
