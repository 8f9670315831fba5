package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.RequestHead;
import io.netty.channel.DefaultEventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ForwardedFieldsTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final RequestHead request = new RequestHead().authority("site.example");

    @AfterEach
    void stop() {
        loop.shutdownGracefully();
    }

    private Client client(String peer, String... trusted) throws UnknownHostException {
        Listener listener = new Listener("web", Listener.Mode.REVERSE, "", "", Cidrs.of(List.of(trusted)), false);
        return new Client(listener, loop, InetAddress.getByName(peer), 1, false);
    }

    private String seen(Client client) {
        return ForwardedFields.client(client, request).getHostAddress();
    }

    @Test
    void believesNobodyWhoIsNotTrusted() throws UnknownHostException {
        request.add(FieldName.X_FORWARDED_FOR, "1.1.1.1");
        Client client = client("9.9.9.9", "10.0.0.0/8");
        assertThat(seen(client)).isEqualTo("9.9.9.9");
        ForwardedFields.reverse(client, request, new Via("postern"));
        assertThat(request.joined(FieldName.X_FORWARDED_FOR)).isEqualTo("9.9.9.9");
    }

    @Test
    void findsTheClientBehindTrustedProxies() throws UnknownHostException {
        request.add(FieldName.X_FORWARDED_FOR, "6.6.6.6, 1.1.1.1");
        request.add(FieldName.X_FORWARDED_FOR, "10.2.2.2");
        Client client = client("10.1.1.1", "10.0.0.0/8");
        assertThat(seen(client)).isEqualTo("1.1.1.1");
        ForwardedFields.reverse(client, request, new Via("postern"));
        assertThat(request.joined(FieldName.X_FORWARDED_FOR)).isEqualTo("6.6.6.6, 1.1.1.1, 10.2.2.2, 10.1.1.1");
    }

    @Test
    void stopsAtWhatIsNoAddress() throws UnknownHostException {
        request.add(FieldName.X_FORWARDED_FOR, "1.1.1.1, unknown, 10.2.2.2");
        assertThat(seen(client("10.1.1.1", "10.0.0.0/8"))).isEqualTo("10.2.2.2");
    }

    @Test
    void saysNothingOfTheClientOnTheWayOut() {
        request.add(FieldName.X_FORWARDED_FOR, "1.1.1.1");
        request.add(FieldName.FORWARDED, "for=1.1.1.1");
        ForwardedFields.forward(request, new Via("postern"));
        assertThat(request.has(FieldName.X_FORWARDED_FOR)).isFalse();
        assertThat(request.has(FieldName.FORWARDED)).isFalse();
        assertThat(request.value(FieldName.VIA)).isEqualTo("1.1 postern");
    }
}
