package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the results of the scripts on a real server. */
class RedisScriptsIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;

    @BeforeEach
    void connect() {
        client = RedisClient.create("redis://" + REDIS.address());
        connection = client.connect();
        connection.sync().flushall();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void keepsAMarkerOfTheSameRunUntilAnEviction() {
        assertThat(marker("aa", "0a1b", 9)).isEqualTo("aa:0a1b:9");
        assertThat(marker("bb", "0a1b", 9)).isEqualTo("aa:0a1b:9");
        assertThat(marker("dd", "0a1b", 10)).as("numbers, not text").isEqualTo("dd:0a1b:10");
        assertThat(marker("ff", "0a1c", 0)).as("another run").isEqualTo("ff:0a1c:0");
        assertThat(connection.sync().ttl("marker")).as("markers have no expiry").isEqualTo(-1);
    }

    @Test
    void keepsAMarkerOfAGatewayThatAskedLater() {
        long evicted = evict();
        connection.sync().set("marker", "aa:0a1b:" + evicted);

        assertThat(marker("bb", "0a1b", evicted - 1)).isEqualTo("aa:0a1b:" + evicted);
    }

    /** Otherwise as many evictions as before would show nothing. */
    @Test
    void replacesAMarkerWhenTheServerCountsEvictionsAnew() {
        long evicted = evict();
        String run = infoOf("server", "run_id");
        String marker = "aa:" + run + ":" + evicted;
        connection.sync().set("marker", marker);
        connection.sync().configResetstat();

        assertThat(spend(Scripts.SPEND_CHECKED, "mine", marker, 60_000)).isEqualTo(Scripts.OTHER_MARKER);
        assertThat(marker("bb", run, 0)).isEqualTo("bb:" + run + ":0");
        assertThat(spend(Scripts.SPEND_CHECKED, "mine", "bb:" + run + ":0", 60_000))
                .isEqualTo(Scripts.STORED);
    }

    /** Lets the server evict keys; returns how many it has. */
    private long evict() {
        try {
            connection.sync().configSet("maxmemory-policy", "allkeys-random");
            for (int i = 0; i < 100; i++) {
                connection.sync().set("filler" + i, "x");
            }
            connection.sync().configSet("maxmemory", "1");
        } finally {
            connection.sync().configSet("maxmemory", "0");
            connection.sync().configSet("maxmemory-policy", "noeviction");
        }
        long evicted = Long.parseLong(infoOf("stats", "evicted_keys"));
        assertThat(evicted).isPositive();
        return evicted;
    }

    @Test
    void replacesAnInvalidMarker() {
        for (String found : new String[] {"", "hello", "xx:0a1b:9", "aa:0a1b:", "aa:0a1b:9:9"}) {
            connection.sync().set("marker", found);

            assertThat(marker("bb", "0a1b", 0)).as(found).isEqualTo("bb:0a1b:0");
        }
    }

    @Test
    void storesOnceAndOnlyWithTheKnownMarker() {
        connection.sync().set("marker", "one");

        assertThat(spend("mine", "two", 60_000)).isEqualTo(Scripts.OTHER_MARKER);
        assertThat(connection.sync().exists("token")).isZero();
        assertThat(spend("mine", "one", 60_000)).isEqualTo(Scripts.STORED);
        assertThat(connection.sync().pttl("token")).isBetween(1L, 60_000L);
        assertThat(spend("other", "one", 90_000)).isEqualTo(Scripts.SPENT);
        assertThat(connection.sync().get("token")).isEqualTo("mine");
        assertThat(connection.sync().pttl("token")).isLessThanOrEqualTo(60_000);
        connection.sync().del("marker");
        assertThat(spend("mine", "one", 60_000)).isEqualTo(Scripts.OTHER_MARKER);
    }

    @Test
    void storesWithACheckOnlyInTheRunOfTheMarkerAndWithoutEvictionsSince() {
        String run = infoOf("server", "run_id");
        long evicted = Long.parseLong(infoOf("stats", "evicted_keys"));
        for (String marker : new String[] {
            "aa:0a1b:" + evicted, "aa:" + run + ":" + (evicted - 1), "aa:" + run + "0:" + evicted, run, ""
        }) {
            connection.sync().set("marker", marker);
            assertThat(spend(Scripts.SPEND_CHECKED, "mine", marker, 60_000))
                    .as(marker)
                    .isEqualTo(Scripts.OTHER_MARKER);
        }
        assertThat(connection.sync().exists("token")).isZero();
        String marker = "aa:" + run + ":" + evicted;
        connection.sync().set("marker", marker);

        assertThat(spend(Scripts.SPEND_CHECKED, "mine", "other", 60_000)).isEqualTo(Scripts.OTHER_MARKER);
        assertThat(spend(Scripts.SPEND_CHECKED, "mine", marker, 60_000)).isEqualTo(Scripts.STORED);
        assertThat(connection.sync().pttl("token")).isBetween(1L, 60_000L);
        assertThat(spend(Scripts.SPEND_CHECKED, "other", marker, 60_000)).isEqualTo(Scripts.SPENT);
        connection.sync().del("marker");
        assertThat(spend(Scripts.SPEND_CHECKED, "mine", marker, 60_000)).isEqualTo(Scripts.OTHER_MARKER);
    }

    private String infoOf(String section, String name) {
        return connection
                .sync()
                .info(section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .orElseThrow()
                .substring(name.length() + 1)
                .strip();
    }

    @Test
    void removesOnlyItsOwnSpend() {
        assertThat(refund("mine")).isEqualTo(Scripts.NOT_THERE);
        connection.sync().set("token", "other");
        assertThat(refund("mine")).isEqualTo(-1);
        assertThat(connection.sync().get("token")).isEqualTo("other");

        assertThat(refund("other")).isEqualTo(Scripts.REFUNDED);
        assertThat(connection.sync().exists("token")).isZero();
    }

    @Test
    void haveDocumentedDigests() {
        for (Scripts.Script script : Scripts.ALL) {
            assertThat(connection.sync().scriptLoad(script.text().getBytes(US_ASCII)))
                    .isEqualTo(script.name());
        }
    }

    private String marker(String random, String run, long evicted) {
        String[] keys = {"marker"};
        return connection
                .sync()
                .eval(Scripts.MARKER.text(), ScriptOutputType.VALUE, keys, random, run, Long.toString(evicted));
    }

    private long spend(String attempt, String marker, long millis) {
        return spend(Scripts.SPEND, attempt, marker, millis);
    }

    private long spend(Scripts.Script script, String attempt, String marker, long millis) {
        String[] keys = {"token", "marker"};
        Long response = connection
                .sync()
                .eval(script.text(), ScriptOutputType.INTEGER, keys, attempt, marker, Long.toString(millis));
        return response;
    }

    private long refund(String attempt) {
        String[] keys = {"token"};
        Long response = connection.sync().eval(Scripts.REFUND.text(), ScriptOutputType.INTEGER, keys, attempt);
        return response;
    }
}
