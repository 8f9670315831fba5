package dev.postern.core.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {

    @ParameterizedTest
    @CsvSource({
        "redis://h:1, redis://h:1,,",
        "redis://secret@h, redis://h,, secret",
        "redis://:secret@h, redis://h,, secret",
        "redis://user:secret@h:1/3, redis://h:1/3, user, secret",
        "rediss://tenant%3Aapp:p%40ss%3Aword@h, rediss://h, tenant:app, p@ss:word",
        "redis://mail%40site.example:a:b@h, redis://h, mail@site.example, a:b",
        "redis://u:%E2%82%AC+%25%2F%23@h, redis://h, u, €+%/#",
        "redis://ü:ß@h, redis://h, ü, ß",
        "redis://u:😀@[::1]:6379?timeout=1s, redis://[::1]:6379?timeout=1s, u, 😀",
        "redis://user:@h, redis://h, user,"
    })
    void decodesUserAndPasswordApart(String uri, String address, String user, String password) {
        assertThat(RedisUri.of(uri)).isEqualTo(new RedisUri(address, user, password));
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "redis://u:secret%4@h", "redis://u:secret%zz@h", "redis://u:secret%@h"})
    void refusesOtherTextWithoutShowingIt(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisUri.of(uri))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }

    @Test
    void showsNoSecret() {
        assertThat(RedisUri.of("redis://user:secret@h")).hasToString("redis");
    }
}
