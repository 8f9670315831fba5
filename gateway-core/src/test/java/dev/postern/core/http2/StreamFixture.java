package dev.postern.core.http2;

import static org.awaitility.Awaitility.await;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestOrigin;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts a gateway for HTTP/2 clients in front of an HTTP/1.1 origin. */
@ExtendWith(LeakExtension.class)
abstract class StreamFixture {

    TestOrigin origin;
    CoreGateway gateway;

    @BeforeEach
    void start() {
        origin = new TestOrigin();
        gateway = new CoreGateway(Setup.of(origin.address()));
    }

    @AfterEach
    void stop() {
        gateway.close();
        origin.close();
    }

    final FrameClient client(int... settings) {
        return FrameClient.connect(gateway.port(), settings);
    }

    final Outcome ended() {
        await().until(() -> !gateway.ended().isEmpty());
        List<Exchange> all = gateway.ended();
        return all.get(all.size() - 1).outcome();
    }
}
