package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what clients of a forward listener get over sockets. */
@ExtendWith(LeakExtension.class)
class ForwardProxyIT {

    private final TestOrigin origin = new TestOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private RawClient client() {
        return new RawClient(gateway.forwardPort());
    }

    private static String connect(String authority) {
        return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
    }

    @Test
    void refusesTheGatewaysOwnAddresses() {
        try (RawClient client = client()) {
            assertThat(client.send(connect("127.0.0.1:" + gateway.port()))
                            .read()
                            .status())
                    .isEqualTo(403);
        }
    }
}
