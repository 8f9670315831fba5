package dev.postern.core.headers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HopByHopTest {

    private final RequestHead request = new RequestHead();

    @Test
    void removesFieldsThatConnectionNames() {
        request.add(FieldName.CONNECTION, "close, X-One");
        request.add(FieldName.CONNECTION, "x-two");
        request.add(FieldName.of("x-one"), "1");
        request.add(FieldName.of("x-two"), "2");
        request.add(FieldName.of("x-three"), "3");
        HopByHop.strip(request);
        assertThat(request.has(FieldName.CONNECTION)).isFalse();
        assertThat(request.has(FieldName.of("x-one"))).isFalse();
        assertThat(request.has(FieldName.of("x-two"))).isFalse();
        assertThat(request.value(FieldName.of("x-three"))).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "host",
                "content-length",
                "authorization",
                "cookie",
                "forwarded",
                "via",
                "x-forwarded-for",
                "x-forwarded-host",
                "x-forwarded-proto"
            })
    void keepsProtectedFieldsThatConnectionNames(String name) {
        request.add(FieldName.CONNECTION, "close, " + name);
        request.add(FieldName.of(name), "kept");
        HopByHop.strip(request);
        assertThat(request.value(FieldName.of(name))).isEqualTo("kept");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection",
                "keep-alive",
                "proxy-authorization",
                "proxy-connection",
                "te",
                "trailer",
                "transfer-encoding",
                "upgrade"
            })
    void alwaysRemovesHopByHopFields(String name) {
        request.add(FieldName.of(name), "gone");
        HopByHop.strip(request);
        assertThat(request.has(FieldName.of(name))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-Port", "X-Forwarded-Prefix", "X-Real-IP"})
    void keepsForwardedFieldsThatConnectionNames(String name) {
        request.add(FieldName.CONNECTION, name);
        request.add(FieldName.of(name), "kept");
        HopByHop.strip(request);
        assertThat(request.value(FieldName.of(name))).isEqualTo("kept");
    }

    @Test
    void removesExactlyTheFieldsOfManyOptions() {
        request.add(FieldName.CONNECTION, options(0, 16));
        request.add(FieldName.CONNECTION, options(16, 32));
        for (int i = 0; i < 256; i++) {
            request.add(FieldName.of("x-" + i % 64), "1");
        }
        HopByHop.strip(request);
        assertThat(IntStream.range(0, request.fields())
                        .filter(request::present)
                        .mapToObj(request::nameAt)
                        .distinct())
                .containsExactlyElementsOf(
                        IntStream.range(32, 64).mapToObj(i -> "x-" + i).toList());
    }

    private static String options(int from, int end) {
        return IntStream.range(from, end).mapToObj(i -> " X-" + i).collect(Collectors.joining(" ,"));
    }
}
