package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisScriptsTest {
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
}
