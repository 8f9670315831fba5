package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostCookieTest {

    private final HostCookie cookie = new HostCookie("seat");

    private static RequestHead with(String... sent) {
        RequestHead request = new RequestHead();
        for (String field : sent) {
            request.add(FieldName.COOKIE, field);
        }
        return request;
    }

    @Test
    void isWrittenForTheHostAloneWhereTheClientUsesTls() {
        assertThat(cookie.set("12", true, null)).isEqualTo("__Host-seat=12; Path=/; Secure; HttpOnly; SameSite=Lax");
        assertThat(cookie.set("12", true, Duration.ofSeconds(90)))
                .isEqualTo("__Host-seat=12; Path=/; Max-Age=90; Secure; HttpOnly; SameSite=Lax");
        assertThat(cookie.set("12", false, null)).isEqualTo("seat=12; Path=/; HttpOnly; SameSite=Lax");
        assertThat(cookie.set("12", false, Duration.ofMillis(1999)))
                .isEqualTo("seat=12; Path=/; Max-Age=1; HttpOnly; SameSite=Lax");
    }

    @Test
    void isReadByTheRuleByWhichItWasWritten() {
        for (boolean secure : new boolean[] {true, false}) {
            String written = cookie.set("12", secure, null).split(";", 2)[0];

            assertThat(cookie.values(with("a=b; " + written), secure, 2)).containsExactly("12");
            assertThat(cookie.values(with("a=b; " + written), !secure, 2)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "seat=1                          | true  | -",
                "__Host-seat=1; seat=2           | true  | 1",
                "seat=2; __Host-seat=1           | true  | 1",
                "__Host-seat=1; seat=2           | false | 2",
                "__host-seat=1                   | true  | -",
                "__HOST-SEAT=1                   | true  | -",
                "Seat=1                          | false | -",
                "__Secure-seat=1                 | true  | -",
                "x__Host-seat=1                  | true  | -",
                "__Host-seats=1                  | true  | -",
                "__Host-seat                     | true  | __Host-seat",
                "__Host-seat =1;__Host-seat= 2 ; | true  | 1,2",
                "__Host-seat=1=2                 | true  | 1=2",
                "a=__Host-seat=1                 | true  | -",
            })
    void valuesAreThoseOfTheExactName(String sent, boolean secure, String values) {
        List<String> expected = values == null ? List.of() : List.of(values.split(","));

        assertThat(cookie.values(with(sent), secure, 4)).isEqualTo(expected);
    }

    @Test
    void valuesAreLimitedOverAllFields() {
        RequestHead request = with("seat=1; seat=2", "seat=3");

        assertThat(cookie.values(request, false, 4)).containsExactly("1", "2", "3");
        assertThat(cookie.values(request, false, 2)).containsExactly("1", "2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "seat=1                     | -",
                "__Host-seat=1              | -",
                "a=1; __Host-seat=2;seat=3  | a=1",
                "a=1;b=2                    | a=1;b=2",
                "seats=1; my-seat=2; x=seat | seats=1; my-seat=2; x=seat",
            })
    void isRemovedWithAndWithoutPrefix(String sent, String left) {
        RequestHead request = with(sent);

        cookie.remove(request);

        assertThat(request.joined(FieldName.COOKIE)).isEqualTo(left);
    }
}
