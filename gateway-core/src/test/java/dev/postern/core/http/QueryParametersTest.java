package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how the parameters of a query are read. */
class QueryParametersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            nullValues = "-",
            value = {
                "?v=2 2",
                "?a=b&v=2&c 2",
                "?v=1&v=2&%76=3 1,2,3",
                "?v=%32 2",
                "?v=a+b a_b",
                "?v=a%2Bb a+b",
                "?v=1=2 1=2",
                "?v=%zz %zz",
                "?v=%4 %4",
                "?V=1 -",
                "?vv=1&=v -",
                "? -",
                "?&&& -",
            })
    void parametersAreDecoded(String query, String expected) {
        List<String> values = expected == null
                ? List.of()
                : List.of(expected.replace('_', ' ').split(","));
        assertThat(QueryParameters.of(query).values("v")).isEqualTo(values);
    }

    @Test
    void aParameterWithoutValueIsEmpty() {
        assertThat(QueryParameters.of("?v&v=").values("v")).containsExactly("", "");
        assertThat(QueryParameters.of("").values("v")).isEmpty();
    }

    @Test
    void manyRulesReadOneDecoding() {
        RequestHead head = new RequestHead().target("/", "?v=1");
        QueryParameters first = head.parameters();
        assertThat(head.parameters()).isSameAs(first);
        head.target("/", "?v=2");
        assertThat(head.parameters().values("v")).containsExactly("2");
        head.reset();
        assertThat(head.parameters().values("v")).isEmpty();
    }
}
