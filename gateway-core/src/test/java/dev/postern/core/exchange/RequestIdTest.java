package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.config.Checks;
import dev.postern.core.exchange.RequestIdSettings.Accept;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdTest {

    private static final FieldName NAME = FieldName.of("X-Request-ID");
    private static final long MILLIS = 0x0193_0000_abcdL;

    private static RequestHead request(String... ids) {
        RequestHead request = new RequestHead().target("/", "");
        for (String id : ids) {
            request.add(NAME, id);
        }
        return request;
    }

    private static String id(Accept accept, boolean trusted, RequestHead request) {
        Field field = new RequestId(new RequestIdSettings("X-Request-ID", accept)).of(request, trusted, MILLIS);
        assertThat(field.name()).isEqualTo(NAME);
        return field.value();
    }

    @ParameterizedTest
    @CsvSource({
        "TRUSTED, true, true",
        "TRUSTED, false, false",
        "ALL, true, true",
        "ALL, false, true",
        "NONE, true, false",
        "NONE, false, false"
    })
    void keepsIdsOfThoseThatMaySendThem(Accept accept, boolean trusted, boolean kept) {
        assertThat(id(accept, trusted, request("abc-1")).equals("abc-1")).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "0",
                "Az09._:/+=@-",
                "1-67a2f3-0/b=c",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void keepsWellFormedIds(String given) {
        assertThat(id(Accept.ALL, false, request(given))).isEqualTo(given);
        assertThat(id(Accept.ALL, false, request("a".repeat(128)))).hasSize(128);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "a b", "a\tb", "<b>", "a\"b", "a,b", "a;b", "a'b", "a\\b", "%41", "\u00e4", "{a}", "a|b", "a~b"
            })
    void replacesOthers(String given) {
        assertThat(id(Accept.ALL, false, request(given))).hasSize(36).isNotEqualTo(given);
    }

    @Test
    void replacesLongIdsAndSeveral() {
        assertThat(id(Accept.ALL, false, request("a".repeat(129)))).hasSize(36);
        assertThat(id(Accept.ALL, false, request("a", "b"))).hasSize(36);
        assertThat(id(Accept.ALL, false, request("a", "a"))).hasSize(36);
    }

    @Test
    void newIdsAreUuidsOfVersion7() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String id = id(Accept.NONE, false, request());
            UUID uuid = UUID.fromString(id);
            assertThat(uuid.version()).isEqualTo(7);
            assertThat(uuid.variant()).isEqualTo(2);
            assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(MILLIS);
            assertThat(seen.add(id)).isTrue();
        }
    }

    @Test
    void replacesEverySpellingThatAnUpstreamMayRead() {
        RequestHead request = request("a", "b");
        request.add(FieldName.of("x_request_id"), "c");
        request.add(FieldName.of("x.request.id"), "d");
        request.add(FieldName.of("x-request-identity"), "e");

        new RequestId(new RequestIdSettings("X-Request-ID", Accept.NONE)).replace(request, Field.of(NAME, "ours"));

        assertThat(request.joined(NAME)).isEqualTo("ours");
        assertThat(request.has(FieldName.of("x_request_id"))).isFalse();
        assertThat(request.has(FieldName.of("x.request.id"))).isFalse();
        assertThat(request.has(FieldName.of("x-request-identity"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "X-*",
                "-",
                "_",
                "9",
                "X Request",
                "X-Request-ID:",
                "Caf\u00e9",
                "Cookie",
                "authorization",
                "X-Forwarded-For",
                "Set-Cookie",
                "Via"
            })
    void refusesOtherFields(String field) {
        assertThatThrownBy(() -> new RequestIdSettings(field, Accept.ALL))
                .isInstanceOf(Checks.Failed.class)
                .hasMessageContaining("field: " + field + " (expected: a field name");
    }

    @Test
    void refusesALongFieldName() {
        assertThatThrownBy(() -> new RequestIdSettings("x".repeat(65), Accept.ALL))
                .isInstanceOf(Checks.Failed.class);
        assertThat(new RequestIdSettings("x".repeat(64), Accept.ALL).field()).hasSize(64);
    }

    @Test
    void rulesWithTheSameSettingsAreEqual() {
        RequestIdSettings settings = new RequestIdSettings("X-Request-ID", Accept.TRUSTED);
        assertThat(new RequestId(settings))
                .isEqualTo(new RequestId(new RequestIdSettings("X-Request-ID", Accept.TRUSTED)))
                .hasSameHashCodeAs(new RequestId(settings))
                .isNotEqualTo(new RequestId(new RequestIdSettings("X-Request-ID", Accept.ALL)))
                .isNotEqualTo(new RequestId(new RequestIdSettings("X-Other", Accept.TRUSTED)));
    }
}
