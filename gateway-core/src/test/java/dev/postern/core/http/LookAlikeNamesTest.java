package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LookAlikeNamesTest {

    private final LookAlikeNames names = LookAlikeNames.of(List.of("content-length", "x-real-ip", "x-postern-*"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content-length",
                "Content_Length",
                "CONTENT.LENGTH",
                "contentlength",
                "Content-Length+",
                "_Content-Length",
                "--content-length--",
                "X-Real-IP_",
                ".x_real_ip",
                "X-Postern-Session",
                "_x_postern_session_"
            })
    void containsSpellingsWithTheSameLettersAndDigits(String name) {
        assertThat(names.contains(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content-length-2",
                "content-lengt",
                "x-real-ipp",
                "ax-real-ip",
                "postern-x",
                "+",
                "+++++++++++++++++++"
            })
    void containsNoOtherName(String name) {
        assertThat(names.contains(name)).isFalse();
    }
}
