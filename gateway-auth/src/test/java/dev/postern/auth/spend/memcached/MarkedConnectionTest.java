package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

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
}
