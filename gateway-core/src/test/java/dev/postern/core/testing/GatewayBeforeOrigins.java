package dev.postern.core.testing;

import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.RawOrigin.Line;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Base of tests with a gateway before an origin of HTTP/1.1 whose bytes the test reads and writes, and with another one before an origin of
 * HTTP/2. Each gateway starts when the test first uses it, and all is closed behind the test.
 */
@ExtendWith(LeakExtension.class)
public abstract class GatewayBeforeOrigins {

    protected static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    protected final RawOrigin origin = new RawOrigin();
    protected final FrameOrigin origin2 = new FrameOrigin();
    private @Nullable CoreGateway gateway;
    private @Nullable CoreGateway gateway2;

    /** Starts a gateway; a test class may change its setup. */
    protected CoreGateway start(Setup setup) {
        return new CoreGateway(setup);
    }

    /** Returns the gateway before the origin of HTTP/1.1. */
    protected final CoreGateway gateway() {
        CoreGateway started = gateway;
        if (started == null) {
            started = start(Setup.of(origin.address()));
            gateway = started;
        }
        return started;
    }

    /** Returns the gateway before the origin of HTTP/2. */
    protected final CoreGateway gateway2() {
        CoreGateway started = gateway2;
        if (started == null) {
            started = start(Setup.of(origin2.address()).toHttp2(null));
            gateway2 = started;
        }
        return started;
    }

    /** Starts the gateway before the origin of HTTP/1.1 with another setup. */
    protected final void restart(Setup setup) {
        if (gateway != null) {
            gateway.close();
        }
        gateway = start(setup);
    }

    /** Connects a client to the gateway before the origin of HTTP/1.1. */
    protected final RawClient client() {
        return new RawClient(gateway().port());
    }

    /** Accepts a connection of the gateway, and reads the head of a request on it. */
    protected final Line acceptRequest() {
        Line line = origin.accept();
        line.readHead();
        return line;
    }

    @AfterEach
    void closeAll() {
        if (gateway != null) {
            gateway.close();
        }
        if (gateway2 != null) {
            gateway2.close();
        }
        origin.close();
        origin2.close();
    }
}
