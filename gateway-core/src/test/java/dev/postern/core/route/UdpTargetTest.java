package dev.postern.core.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.RequestTargetParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpTargetTest {

    private static UdpTarget parse(String target) {
        RequestHead head = new RequestHead();
        byte[] bytes = ("/.well-known/masque/udp/" + target).getBytes(ISO_8859_1);
        RequestTargetParser.path(head, bytes, 0, bytes.length);
        return UdpTarget.parse(head);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.6/443/, 192.0.2.6, 443",
        "example.org/1/, example.org, 1",
        "example.org/65535/, example.org, 65535",
        "EXAMPLE.org/0443/, example.org, 443",
        "example.org./443/, example.org, 443",
        "%65xample.org/443/, example.org, 443",
        "example.org/%34%34%33/, example.org, 443",
        "2001%3Adb8%3A%3A1/443/, [2001:db8::1], 443",
        "2001%3adb8%3a%3a1/443/, [2001:db8::1], 443",
        "2001:db8::1/443/, [2001:db8::1], 443",
        "2001%3A0DB8%3A0%3A0%3A0%3A0%3A0%3A1/443/, [2001:db8::1], 443",
    })
    void readsTheTemplate(String target, String host, int port) {
        assertThat(parse(target)).isEqualTo(new UdpTarget(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "//",
                "example.org",
                "example.org/443",
                "example.org//",
                "/443/",
                "example.org/443/more",
                "example.org/443/?query",
                "example.org/443//more/",
                "example.org/0/",
                "example.org/65536/",
                "example.org/-1/",
                "example.org/+443/",
                "example.org/443a/",
                "example.org/%2B443/",
                "example.org/4 3/",
                "example.org/%E0%A5%AA/",
                "example.org%3A443/443/",
                "user%40example.org/443/",
                "%5B2001%3Adb8%3A%3A1%5D/443/",
                "[::1]/443/",
                "fe80%3A%3A1%25eth0/443/",
                "fe80%3A%3A1%25/443/",
                "2001%3Adb8/443/",
                "%3A%3A%3A/443/",
                "example.org%2F443/443/",
                "example.org%252F/443/",
                "example%2500.org/443/",
                "example.org%23/443/",
                "example.org%3F/443/",
                "exa mple.org/443/",
                "exa%20mple.org/443/",
                "exa+mple.org/443/",
                "example..org/443/",
                "*/443/",
                "%2A/443/",
            })
    void refusesEverythingElse(String target) {
        assertThatThrownBy(() -> parse(target)).isInstanceOf(HttpParseException.class);
    }
}
