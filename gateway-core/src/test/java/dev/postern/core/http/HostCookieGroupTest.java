package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.HostCookieGroup.Member;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostCookieGroupTest {

    private final HostCookieGroup cookies = new HostCookieGroup("seat");

    private static RequestHead with(String... sent) {
        RequestHead request = new RequestHead();
        for (String field : sent) {
            request.add(FieldName.COOKIE, field);
        }
        return request;
    }

    @Test
    void isWrittenAndExpiredForTheHostAlone() {
        assertThat(cookies.set("a1", "12", true))
                .isEqualTo("__Host-seat-a1=12; Path=/; Secure; HttpOnly; SameSite=Lax");
        assertThat(cookies.set("a1", "12", false)).isEqualTo("seat-a1=12; Path=/; HttpOnly; SameSite=Lax");
        assertThat(cookies.expire("a1", true))
                .isEqualTo("__Host-seat-a1=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax");
        assertThat(cookies.expire("a1", false)).isEqualTo("seat-a1=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }

    @Test
    void membersAreReadInOrderFromAllFields() {
        RequestHead request = with("seat-a=1; x=y; seat-b=2", "seat=3; seats-c=4; __Host-seat-d=5", "seat-a = 6 ");

        assertThat(cookies.members(request, false, 9))
                .containsExactly(new Member("a", "1"), new Member("b", "2"), new Member("a", "6"));
        assertThat(cookies.members(request, true, 9)).containsExactly(new Member("d", "5"));
        assertThat(cookies.members(request, false, 2)).hasSize(2);
    }

    @Test
    void bytesAreThoseInTheRequest() {
        Member member = new Member("a", "12");

        assertThat(cookies.bytes(member, false)).isEqualTo("seat-a=12; ".length());
        assertThat(cookies.bytes(member, true)).isEqualTo("__Host-seat-a=12; ".length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "seat=1                                  | -",
                "seat-a=1; __Host-seat-b=2; __Host-seat=3 | -",
                "x=1; seat-unknown_suffix-9=2;  seat-=3; y=4 | x=1; y=4",
                "seats=1; my-seat-a=2; x=seat-a; Seat-a=3 | seats=1; my-seat-a=2; x=seat-a; Seat-a=3",
                "seat-a                                  | -",
                "seat-a =1;\tseat-b\t=2                  | -",
            })
    void allMembersAreRemovedWhateverTheirSuffix(String sent, String left) {
        RequestHead request = with(sent);

        cookies.remove(request);

        assertThat(request.joined(FieldName.COOKIE)).isEqualTo(left);
    }

    @Test
    void membersAreRemovedFromFieldsOfOnePairEach() {
        RequestHead request = with("a=1", "seat-x=2", "b=3", "__Host-seat-y=4", "seat-z=5");

        cookies.remove(request);

        assertThat(request.joined(FieldName.COOKIE)).isEqualTo("a=1, b=3");
    }
}
