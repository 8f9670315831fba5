package dev.postern.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServerProcessIT {

    @Test
    void theFilesOfAServerEndWithIt() {
        try (ServerProcess server = RedisExtension.process(ServerProcess.freePort())) {
            server.start();
            RedisExtension.cli(server, "set", "key", "value");
            RedisExtension.cli(server, "save");
            Path folder = Path.of(RedisExtension.cli(server, "config", "get", "dir")
                    .lines()
                    .skip(1)
                    .findFirst()
                    .orElseThrow());
            assertThat(folder).isNotEqualTo(Path.of("").toAbsolutePath());
            assertThat(folder.resolve("dump.rdb")).exists();

            server.restartEmpty();

            assertThat(folder).doesNotExist();
            assertThat(RedisExtension.cli(server, "dbsize").strip()).isEqualTo("0");
        }
    }
}
