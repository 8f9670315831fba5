package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the output during a store outage: one log line at its start, one at its end, address and reason in {@code /readyz}. */
@Tag("faults")
@Tag("long")
class StoreOutageIT {

    private static final String AWAY = " is away: not connected";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"spymemcached", "netty"})
    void logsStartAndEndOfAMemcachedOutageOnce(String client) throws Exception {
        try (ServerProcess memcached = ServerProcess.memcached(64);
                GatewayProcess gateway = gateway("    store: memcached\n    memcached: {servers: [\""
                        + memcached.address() + "\"], client: " + client + "}\n")) {
            checkOutage(gateway, memcached, "memcached " + memcached.address());
        }
    }

    @Test
    void logsStartAndEndOfARedisOutageOncePerUse() throws Exception {
        int port = ServerProcess.freePort();
        try (ServerProcess redis = redis(port, "s3cret");
                GatewayProcess gateway = gateway("    store: redis\n" + rooms(port, "s3cret"))) {
            String address = "Redis 127.0.0.1:" + port;
            checkOutage(gateway, redis, address + " (ledger)", address + " (rooms)");
        }
    }

    @Test
    void reportsAWrongPasswordWithoutPrintingIt() throws Exception {
        int port = ServerProcess.freePort();
        try (ServerProcess redis = redis(port, "right");
                GatewayProcess gateway = gateway("    store: redis\n" + rooms(port, "s3cret"))) {
            redis.start();
            gateway.awaitReady();

            String wrong = " is away: not connected: WRONGPASS: the server refuses user or password (expected: those of"
                    + " redis.uri or redis.uri-file) (trying again)";
            await().untilAsserted(() -> assertThat(lines(gateway, "Redis "))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("WARN").endsWith(wrong)));
            assertThat(readiness(gateway)).contains("WRONGPASS: the server refuses user or password");
            assertThat(gateway.log() + readiness(gateway)).doesNotContain("s3cret", "Exception");
        }
    }

    /** @param stores names of the server in the log lines */
    private void checkOutage(GatewayProcess gateway, ServerProcess server, String... stores) {
        gateway.awaitReady();
        until(() -> count(gateway, AWAY) == stores.length);
        String refused = "\"" + server.address() + "\" : \"not connected: connection refused";
        until(() -> readiness(gateway).split(refused, -1).length == 1 + stores.length);

        server.start();
        until(() -> count(gateway, " is back after ") == stores.length);
        server.kill();
        until(() -> count(gateway, " is away: ") == 2L * stores.length);
        server.start();
        until(() -> count(gateway, " is back after ") == 2L * stores.length);

        for (String store : stores) {
            List<String> lines = lines(gateway, store);
            assertThat(lines).hasSizeBetween(4, 5); // a restart also loses the memory
            assertThat(lines.get(0)).contains("WARN").endsWith(store + AWAY + ": connection refused (trying again)");
        }
        String log = gateway.log();
        assertThat(log).doesNotContain("s3cret", "Exception", "\tat ", "Reconnecting", "Unable to connect");
    }

    private static void until(BooleanSupplier condition) {
        await().until(condition::getAsBoolean);
    }

    private static long count(GatewayProcess gateway, String words) {
        return lines(gateway, words).size();
    }

    private static List<String> lines(GatewayProcess gateway, String words) {
        return gateway.log().lines().filter(line -> line.contains(words)).toList();
    }

    private static String readiness(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read()
                    .body();
        }
    }

    private GatewayProcess gateway(String ledger) throws Exception {
        return new GatewayProcess("outage", """
                upstreams:
                  - {name: app, endpoints: ["127.0.0.1:1"]}
                routes:
                  - {host: "*", path: /, upstream: app, token: off}
                privacy-pass:
                  ledger:
                    deadline: 5s
                """ + ledger, folder);
    }

    private static String rooms(int port, String password) {
        return """
               redis: {uri: "redis://:%s@127.0.0.1:%d", deadline: 5s}
               rate-limits:
                 - {name: site, rate: 10/s, store: redis, fair-queue: {active-sessions: 5}}
               """.formatted(password, port);
    }

    private static ServerProcess redis(int port, String password) {
        return RedisExtension.process(port, "--requirepass", password);
    }
}
