package dev.postern.core.http2;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts a gateway in front of an HTTP/2 upstream whose frames the test writes. */
@ExtendWith(LeakExtension.class)
abstract class UpstreamStreamFixture {

    static final String[] OK = {":status", "200"};

    final FrameOrigin origin = new FrameOrigin();
    CoreGateway gateway = new CoreGateway(setup());

    final Setup setup() {
        return Setup.of(origin.address()).toHttp2(null);
    }

    final void restart(Setup setup) {
        gateway.close();
        gateway = new CoreGateway(setup);
    }

    static UpstreamSettings.Pool pool(int connections, int streams) {
        return TestPool.of(connections, 1024, streams);
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    final FrameClient client(int... settings) {
        return FrameClient.connect(gateway.port(), settings);
    }

    static void ok(FrameClient server, int stream, String body) {
        server.headers(stream, false, OK).data(stream, true, body);
    }
}
