package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageAddressTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/              | ``              | ./",
                "/bread         | ``              | ./bread",
                "/shop/bread    | ?a=b&c=/d?e     | ./bread?a=b&c=/d?e",
                "/shop/         | ?a              | ./?a",
                "/shop/a:b      | ``              | ./a:b",
                "/shop/a%2Fb    | ``              | ./a%2Fb",
                "/caf%C3%A9     | ``              | ./caf%C3%A9",
                "/b             | ?c=\u00c3\u00a9 | ./b?c=%C3%A9",
                "/b             | ?'><\"\\        | ./b?%27%3E%3C%22%5C",
                "/b             | ?//evil.example | ./b?//evil.example",
                "/javascript:x  | ``              | ./javascript:x",
            })
    void isRelativeToThePageItself(String path, String query, String expected) {
        assertThat(WaitingRoomResponse.PageAddress.of(path, query)).isEqualTo(expected);
    }

    @Test
    void leadsToThePageWherever() {
        for (String page : new String[] {"/", "/bread", "/shop/", "/shop/bread?a=b", "/shop/bread?a=b/c", "/a:b"}) {
            URI at = URI.create("https://site.example" + page);
            String address = WaitingRoomResponse.PageAddress.of(
                    at.getRawPath(), at.getRawQuery() == null ? "" : "?" + at.getRawQuery());

            assertThat(URI.create("https://site.example/prefix" + page).resolve(address))
                    .as(page)
                    .isEqualTo(URI.create("https://site.example/prefix" + page));
        }
    }
}
