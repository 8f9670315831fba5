package dev.postern.load.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RedisConnectionTest {
    @Test
    void writesCommandAsOnePiece() {
        assertThat(new String(RedisConnection.command("LRANGE", "line", "0", "0"), US_ASCII))
                .isEqualTo("*4\r\n$6\r\nLRANGE\r\n$4\r\nline\r\n$1\r\n0\r\n$1\r\n0\r\n");
    }

    @Test
    void readsEveryKindOfReply() throws IOException {
        assertThat(reply("+OK\r\n")).isEqualTo("OK");
        assertThat(reply(":121\r\n")).isEqualTo(121L);
        assertThat(reply("$3\r\na\r\n\r\n")).isEqualTo("a\r\n");
        assertThat(reply("$-1\r\n")).isNull();
        assertThat(reply("*2\r\n:1\r\n$1\r\nx\r\n")).isEqualTo(List.of(1L, "x"));
    }

    @Test
    void throwsForAnErrorReply() {
        assertThatThrownBy(() -> reply("-WRONGTYPE of key\r\n")).hasMessageContaining("WRONGTYPE");
        assertThatThrownBy(() -> reply("+O")).hasMessage("closed by Redis");
    }

    @Test
    void countsScriptsByNameAndByText() {
        String statistics = """
                # Commandstats
                cmdstat_eval:calls=1,usec=1186,usec_per_call=1186.00,rejected_calls=0,failed_calls=0
                cmdstat_evalsha:calls=866,usec=7874435,usec_per_call=908.66,rejected_calls=0,failed_calls=1
                cmdstat_zadd:calls=549138,usec=747878,usec_per_call=1.36,rejected_calls=0,failed_calls=0
                """;

        assertThat(RedisScripts.parse(statistics)).isEqualTo(867);
        assertThat(RedisScripts.parse("# Commandstats\n")).isZero();
    }

    private static @Nullable Object reply(String text) throws IOException {
        return RedisConnection.reply(new ByteArrayInputStream(text.getBytes(US_ASCII)));
    }
}
