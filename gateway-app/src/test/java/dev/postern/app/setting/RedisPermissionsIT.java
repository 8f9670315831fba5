package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.redis.RedisPermission;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests ledger, rooms and limits with exactly the permissions that docs/deploy.md lists, on one server and on a Cluster. */
class RedisPermissionsIT {

    private static final Pattern RULE = Pattern.compile("(?m)^ACL SETUSER postern (.*)$");
    private static final String USER = "postern:PASSWORD";

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    /** Returns the words of the documented rule after the name of the user. */
    private static List<String> documented() throws IOException {
        Matcher rule =
                RULE.matcher(Files.readString(Path.of("../docs/deploy.md")).replace("\\\n", " "));
        assertThat(rule.find()).as("a line with ACL SETUSER").isTrue();
        return Arrays.stream(rule.group(1).trim().split(" +"))
                .map(word -> word.replace("NAMESPACE", "default"))
                .toList();
    }

    private static String[] command(List<String> rules) {
        return Stream.concat(Stream.of("acl", "setuser", "postern"), rules.stream())
                .toArray(String[]::new);
    }

    @Test
    void theRuleHasThePermissionsOfTheCode() throws IOException {
        List<String> commands = documented().stream()
                .filter(word -> word.startsWith("+"))
                .map(word -> word.substring(1))
                .toList();

        assertThat(new TreeSet<>(commands))
                .hasSameSizeAs(commands)
                .isEqualTo(new TreeSet<>(
                        Stream.concat(RedisPermission.ledger(true).stream(), RedisPermission.rooms(true).stream())
                                .map(RedisPermission::name)
                                .toList()));
    }

    @Test
    void theRuleIsEnoughForOneServer() throws IOException {
        REDIS.cli(command(documented()));
        serve("redis.uri=redis://" + USER + "@" + REDIS.address());
        // Lettuce names itself to a Redis that can take the name, and does not mind a refusal.
        List<String> log = REDIS.cli("acl", "log").lines().toList();
        assertThat(IntStream.range(1, log.size())
                        .filter(i -> log.get(i - 1).equals("object"))
                        .mapToObj(log::get))
                .as("refused commands")
                .allMatch("client|setinfo"::equals);
    }

    @Test
    void theRuleIsEnoughForACluster() throws IOException {
        String[] rule = command(documented());
        CLUSTER.servers().forEach(server -> RedisExtension.cli(server, rule));
        serve("redis.uri=redis://" + USER + "@" + CLUSTER.address(), "redis.cluster=true");
    }

    /** Uses a room, a limit and the ledger, each until Redis has decided. */
    private static void serve(String... redis) {
        List<String> settings = new ArrayList<>(List.of(redis));
        settings.add("redis.deadline=5s");
        settings.add("privacy-pass.ledger={store: redis, deadline: 10s}");
        settings.add("rate-limits=[{name: room, rate: 1/h, burst: 0, store: redis, fair-queue: {active-sessions: 1}},"
                + " {name: plain, rate: 1/h, burst: 0, store: redis}]");
        settings.add("routes=[{upstream: app, token: required}, {host: room.example, upstream: app, token: off,"
                + " rate-limit: room}, {host: plain.example, upstream: app, token: off, rate-limit: plain}]");
        settings.add(Site.issuer());
        try (Site site = Site.with(settings.toArray(String[]::new))) {
            Awaitility.await().until(() -> site.admin("/readyz").body().contains("verified"));
            Awaitility.await()
                    .until(
                            () -> site.get("/", "Host: room.example").field("Postern-Queue-Position"),
                            p -> !p.isEmpty());
            Awaitility.await().until(() -> site.get("/", "Host: plain.example").status() == 429);
            String token = Awaitility.await().until(site::token, one -> site.redeem(one) == 200);
            Awaitility.await().until(() -> site.redeem(token) == 401);
            assertThat(site.admin("/readyz").body())
                    .doesNotContain("not usable")
                    .doesNotContain("refuses");
        }
    }
}
