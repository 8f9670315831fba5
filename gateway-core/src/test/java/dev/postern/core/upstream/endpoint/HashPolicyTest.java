package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which exchanges have one key. */
class HashPolicyTest {

    private static long key(String policy, String client, String path, String... fields) {
        RequestHead head = new RequestHead().method(Method.GET).target(path, "?q");
        for (String field : fields) {
            int colon = field.indexOf(':');
            head.add(FieldName.of(field.substring(0, colon)), field.substring(colon + 1));
        }
        Exchange exchange = TestExchanges.exchange(
                TestExchanges.client(TestExchanges.address(client), CidrSet.NONE), head, List.of());
        return HashPolicy.of(policy).key(exchange);
    }

    @Test
    void theClientsAddressIsTheKey() {
        long key = key("client-address", "192.0.2.1", "/a");
        assertThat(key("client-address", "192.0.2.1", "/b", "cookie:a=1")).isEqualTo(key);
        assertThat(key("client-address", "192.0.2.2", "/a")).isNotEqualTo(key);
    }

    @Test
    void thePathWithoutTheQueryIsTheKey() {
        long key = key("path", "192.0.2.1", "/a");
        assertThat(key("path", "192.0.2.2", "/a")).isEqualTo(key).isEqualTo(HashRing.hash("/a"));
        assertThat(key("path", "192.0.2.1", "/b")).isNotEqualTo(key);
    }

    @Test
    void allValuesOfAHeaderAreTheKey() {
        long key = key("header:x-user", "192.0.2.1", "/", "x-user:ann", "x-user:bob");
        assertThat(key).isEqualTo(key("header:X-User", "192.0.2.2", "/", "x-user:ann, bob"));
        assertThat(key).isNotEqualTo(key("header:x-user", "192.0.2.1", "/", "x-user:ann"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id=7 | 7",
                "a=1; id=7; b=2 | 7",
                "a=1;id=7 | 7",
                "xid=8; id=7 | 7",
                "idx=8; id=7 | 7",
                "id=7; id=9 | 7",
                "id=a=b | a=b",
                "id= | ''"
            })
    void theFirstCookieOfTheNameIsTheKey(String cookies, String value) {
        assertThat(key("cookie:id", "192.0.2.1", "/", "cookie:" + cookies)).isEqualTo(HashRing.hash(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"header:x-user", "cookie:id"})
    void theClientsAddressReplacesAMissingValue(String policy) {
        long expected = key("client-address", "192.0.2.1", "/");
        assertThat(key(policy, "192.0.2.1", "/")).isEqualTo(expected);
        assertThat(key(policy, "192.0.2.1", "/", "cookie:other=1; idx=2; id", "x-other:1"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "client", "path:", "header", "header:", "cookie:a b", "Path", "client-address:x"})
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> HashPolicy.of(text)).hasMessage("client-address | path | header:NAME | cookie:NAME");
    }
}
