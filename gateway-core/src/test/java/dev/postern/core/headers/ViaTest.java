package dev.postern.core.headers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests that a gateway knows its own entries in Via, and no others. */
class ViaTest {

    private static RequestHead forwarded(Via... gateways) {
        RequestHead request = new RequestHead();
        request.add(FieldName.VIA, "1.1 some.proxy (comment)");
        for (Via gateway : gateways) {
            gateway.add(request);
        }
        return request;
    }

    @Test
    void eachGatewayHasItsOwnPseudonym() {
        Via one = Via.random();
        Via other = Via.random();
        assertThat(one.names(forwarded())).isFalse();
        assertThat(one.names(forwarded(other))).isFalse();
        assertThat(one.names(forwarded(one))).isTrue();
        assertThat(one.names(forwarded(other, one, other))).isTrue();
        assertThat(one.names(new RequestHead())).isFalse();
    }

    /** RFC 9110 section 7.6.3: a pseudonym is a token. */
    @Test
    void thePseudonymIsAToken() {
        RequestHead request = new RequestHead();
        Via.random().add(request);
        assertThat(Objects.requireNonNull(request.value(FieldName.VIA))).matches("1\\.1 postern-[0-9a-f]{16}");
    }
}
