package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a token that one gateway refunded is accepted by another one. */
class RefundIT {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @TempDir
    private Path folder;

    @Test
    void refundsATokenWhenTheUpstreamIsUnreachable() throws IOException {
        TestOrigin origin = new TestOrigin();
        String ledger = "{store: memcached, deadline: 10s, memcached: {servers: [\"" + MEMCACHED.address() + "\"]}}";
        String yaml = Replicas.yaml(2, Replicas.ring(folder), origin.address(), ledger);
        try (GatewayProcess one = new GatewayProcess("one", yaml, folder);
                GatewayProcess two = new GatewayProcess("two", yaml, folder)) {
            one.awaitReady();
            two.awaitReady();
            origin.close();
            String token = Replicas.freshToken(one.port());
            assertThat(Replicas.redeem(one.port(), token)).isEqualTo(502);
            await().atMost(60, TimeUnit.SECONDS).until(() -> Replicas.redeem(two.port(), token) == 502);
        }
    }
}
