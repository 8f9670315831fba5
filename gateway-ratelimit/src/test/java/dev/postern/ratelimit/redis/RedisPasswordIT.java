package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests two nodes while the password of Redis changes, with a user whose name has a colon and an at sign. */
@Tag("faults")
class RedisPasswordIT extends RedisFaults {

    private static final String USER = "tenant:app@site.example";
    private static final String[] RULES = {"~*", "&*", "+@all"};

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    static Path folder;

    private boolean made;

    @Override
    protected StoreNode open() {
        if (!made) {
            made = true;
            user("on", ">o:l@d/%");
            write("o%3Al%40d%2F%25");
        }
        Path file = folder.resolve("uri");
        RedisSettings redis = TestRedis.of("redis://" + REDIS.address());
        try {
            return StoreNode.of(loops, redis.with(Files.readString(file).trim(), file.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void user(String... rules) {
        String[] words = new String[3 + rules.length + RULES.length];
        System.arraycopy(new String[] {"acl", "setuser", USER}, 0, words, 0, 3);
        System.arraycopy(rules, 0, words, 3, rules.length);
        System.arraycopy(RULES, 0, words, 3 + rules.length, RULES.length);
        REDIS.cli(words);
    }

    private static void write(String password) {
        try {
            Files.writeString(
                    folder.resolve("uri"),
                    "redis://tenant%3Aapp%40site.example:" + password + "@" + REDIS.address() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void readsANewPasswordWithoutARestart() {
        user("resetpass", ">new");
        REDIS.cli("client", "kill", "user", USER);
        Awaitility.await().until(() -> states().contains("WRONGPASS: the server refuses user or password"));
        write("new");
        expectRecovery();
    }
}
