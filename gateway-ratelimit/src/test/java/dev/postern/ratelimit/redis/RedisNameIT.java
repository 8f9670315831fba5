package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.dns.NameServers;
import dev.postern.core.testing.DnsExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestRedis;
import dev.postern.core.transport.Transport;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.net.InetSocketAddress;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two nodes whose Redis becomes a replica while the DNS record of its name, valid for an hour, gets the address of the new master. */
@Tag("faults")
class RedisNameIT extends RedisFaults {

    private static final String NAME = "redis.example";

    @RegisterExtension
    static final RedisExtension ONE = new RedisExtension();

    private final int port = ONE.server().port();
    private final ServerProcess other = RedisExtension.process("127.0.0.2", port);
    private final int dnsPort = ServerProcess.freePort();
    private ServerProcess names = names("127.0.0.1");

    private ServerProcess names(String address) {
        ServerProcess server = DnsExtension.process(dnsPort, "--host-record=" + NAME + "," + address + ",3600");
        server.start();
        return server;
    }

    @Override
    protected StoreNode open() {
        NameServers those = new NameServers(
                Transport.open(Transport.Kind.AUTO),
                new SingletonDnsServerAddressStreamProvider(new InetSocketAddress("127.0.0.1", dnsPort)));
        return StoreNode.of(loops, TestRedis.of("redis://" + NAME + ":" + port), those);
    }

    @AfterEach
    void reset() {
        names.close();
        other.close();
        ONE.lead();
        ONE.cli("flushall");
    }

    @Test
    void followsTheRecordOfTheName() {
        other.start();
        ONE.cli("replicaof", "127.0.0.2", Integer.toString(port));
        names.close();
        names = names("127.0.0.2");

        expectRecovery();
        Awaitility.await()
                .untilAsserted(() -> assertThat(states()).contains("connected").doesNotContain("not "));
    }

    @Test
    void saysThatTheNameDoesNotResolve() {
        names.close();
        names = names("127.0.0.2"); // no server listens there
        Awaitility.await().until(() -> {
            ONE.cli("client", "kill", "type", "normal"); // again, while the old address may be cached
            return states().contains("connection refused");
        });
        names.close();
        names = DnsExtension.process(dnsPort);
        names.start();
        Awaitility.await().until(() -> states().contains("the name does not resolve"));

        names.close();
        names = names("127.0.0.1");
        expectRecovery();
    }
}
