package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.redis.RedisPermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the permissions, which the docs list and {@code check --connect} tries, are those that the scripts need. */
class ScriptPermissionsTest {

    private static final Pattern CALL = Pattern.compile("call\\('([A-Z]+)'");
    private static final List<String> PERMITTED =
            RedisPermission.rooms(false).stream().map(RedisPermission::name).toList();

    @Test
    void scriptsCallOnlyPermittedCommands() {
        List<String> commands = commands();

        assertThat(commands).contains("zadd", "set", "time");
        assertThat(PERMITTED).containsAll(commands);
    }

    @Test
    void eachPermissionIsNeeded() {
        List<String> needed = new ArrayList<>(commands());
        needed.addAll(List.of("evalsha", "eval"));

        assertThat(needed).containsAll(PERMITTED);
    }

    private static List<String> commands() {
        return CALL.matcher(Script.ROOM.text() + Script.LIMIT.text() + Script.NETWORK.text())
                .results()
                .map(call -> call.group(1).toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }
}
