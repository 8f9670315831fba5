package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what a slow response costs: no second copy of the request unless configured, and no endpoint that is only slow. */
@ExtendWith(LeakExtension.class)
class SlowTriesIT {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final TestOrigin.Behaviour SILENT = (request, socket) -> {};

    /** Two times the failures in a row after which an endpoint is ejected. */
    private static final int FAILURES = 10;

    private final TestOrigin one = new TestOrigin();
    private final TestOrigin other = new TestOrigin();

    private Setup setup() {
        return Setup.of(one.address(), other.address());
    }

    private int received() {
        return one.received().size() + other.received().size();
    }

    @Test
    void sendsASlowRequestOnce() {
        one.behave(SILENT);
        other.behave(SILENT);
        try (one;
                other;
                CoreGateway gateway = new CoreGateway(setup().firstByte(SHORT));
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/").body()).contains("upstream-stalled");
            assertThat(received()).isEqualTo(1);
        }
    }

    @Test
    void doesNotEjectAnEndpointWhoseTriesWereCutShort() {
        one.behave(SILENT);
        try (one;
                other;
                CoreGateway gateway = new CoreGateway(setup().perTry(SHORT));
                RawClient client = new RawClient(gateway.port())) {
            while (one.received().size() < FAILURES) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
            assertThat(gateway.upstream().state().usable()).isEqualTo(2);
        }
    }

    @Test
    void doesNotEjectAnEndpointThatRespondsToOthersMeanwhile() {
        one.behave((request, socket) -> {
            if (!request.line().contains("/slow")) {
                TestOrigin.Behaviour.ok("quick").response(request, socket);
            }
        });
        try (one;
                other;
                CoreGateway gateway = new CoreGateway(Setup.of(one.address()).firstByte(SHORT));
                RawClient quick = new RawClient(gateway.port())) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < FAILURES; i++) {
                slow.add(new RawClient(gateway.port()).send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"));
            }
            await().until(() -> received() == FAILURES);
            assertThat(quick.get("/").status()).isEqualTo(200);
            slow.forEach(client -> assertThat(client.read().body()).contains("upstream-stalled"));
            slow.forEach(RawClient::close);
            assertThat(gateway.upstream().state().usable()).isEqualTo(1);
        }
    }

    @Test
    void ejectsAnEndpointThatRespondsToNothing() {
        one.behave(SILENT);
        try (one;
                other;
                CoreGateway gateway = new CoreGateway(setup().firstByte(SHORT));
                RawClient client = new RawClient(gateway.port())) {
            for (int i = 0; i < 100 && gateway.upstream().state().usable() > 1; i++) {
                client.get("/");
            }
            assertThat(gateway.upstream().state().usable()).isEqualTo(1);
        }
    }
}
