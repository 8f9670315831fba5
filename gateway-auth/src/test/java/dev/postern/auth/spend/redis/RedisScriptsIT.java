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
        assertThat(marker("cc", "0a1b", 8)).as("requested before, result after").isEqualTo("aa:0a1b:9");

        assertThat(marker("dd", "0a1b", 10)).as("numbers, not text").isEqualTo("dd:0a1b:10");
        assertThat(marker("ee", "0a1b", 9)).isEqualTo("dd:0a1b:10");
        assertThat(marker("ff", "0a1c", 0)).as("another run").isEqualTo("ff:0a1c:0");
        assertThat(connection.sync().ttl("marker")).as("markers have no expiry").isEqualTo(-1);
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
        String[] keys = {"token", "marker"};
        Long response = connection
                .sync()
                .eval(Scripts.SPEND.text(), ScriptOutputType.INTEGER, keys, attempt, marker, Long.toString(millis));
        return response;
    }

    private long refund(String attempt) {
        String[] keys = {"token"};
        Long response = connection.sync().eval(Scripts.REFUND.text(), ScriptOutputType.INTEGER, keys, attempt);
        return response;
    }
}
