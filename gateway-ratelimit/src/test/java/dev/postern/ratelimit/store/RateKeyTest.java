package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a rate key is written, and which one value of a request it reads. */
class RateKeyTest {

    private final RateKey header = RateKey.of("header:X-Api-Key");
    private final RateKey cookie = RateKey.of("cookie:sid");
    private final RequestHead request = new RequestHead().method(Method.GET).target("/", "");

    private RequestHead with(String name, String value) {
        request.add(FieldName.of(name), value);
        return request;
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "client-address", "route", "header:X-Api-Key", "cookie:__Host-sid_1.a"})
    void isWrittenAsItIsRead(String text) {
        assertThat(RateKey.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Host", "header", "header:", "header:a b", "cookie:", "cookie:a=b", "cookie:a;b", "agent:x"})
    void refusesOtherTexts(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RateKey.of(text)).withMessage(RateKey.EXPECTED);
    }

    @Test
    void readsTheOneHeader() {
        assertThat(header.value(request)).isNull();
        assertThat(header.value(with("x-api-key", "a"))).isEqualTo("a");
        assertThat(header.value(with("X-API-KEY", "b"))).as("doubled").isNull();
    }

    @Test
    void readsTheOneCookie() {
        assertThat(cookie.value(request)).isNull();
        assertThat(cookie.value(with("cookie", "a=1; sid=x; sidecar=2"))).isEqualTo("x");
        assertThat(cookie.value(with("cookie", "b=2"))).isEqualTo("x");
        assertThat(cookie.value(with("cookie", "sid=x"))).as("doubled").isNull();
    }

    @Test
    void anEmptyValueIsNone() {
        assertThat(header.value(with("x-api-key", ""))).isNull();
        assertThat(cookie.value(with("cookie", "sid="))).isNull();
    }
}
