package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkedConnectionTest {

    private static final InetSocketAddress SERVER = InetSocketAddress.createUnresolved("server", 11211);

    private final List<String> received = new ArrayList<>();
    private final MarkedConnection contact = new MarkedConnection(new Notes(received));

    @Test
    void forgetsTheMarkWithTheConnection() {
        contact.connectionEstablished(SERVER, 0);
        contact.mark(new byte[] {1});

        contact.connectionLost(SERVER);

        assertThat(contact.mark()).isNull();
        assertThat(contact.connected()).isFalse();
        assertThat(received).containsExactly("established", "lost");
    }

    @Test
    void hasNoMarkOnANewConnectionUntilItIsShownThere() {
        contact.connectionEstablished(SERVER, 0);
        contact.mark(new byte[] {1});

        contact.connectionEstablished(SERVER, 1);

        assertThat(contact.mark()).isNull();
        assertThat(contact.connected()).isTrue();
    }
}
