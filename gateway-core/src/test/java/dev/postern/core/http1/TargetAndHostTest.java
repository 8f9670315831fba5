package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which of target and Host counts (RFC 9112 section 3.2.2). The first lines of a request are those that the named clients send; a bar
 * separates what is sent from the authority that counts.
 */
class TargetAndHostTest {

    private static ParsedHead<RequestHead> read(String lines, boolean forward, boolean secure) {
        byte[] bytes = (lines.replace("~", "\r\n") + "\r\n\r\n").getBytes(ISO_8859_1);
        return ParsedHead.of(
                new RequestHeadParser(new HeadLimits(8192, 256, 32), forward, secure),
                new RequestHead(),
                List.of(bytes));
    }

    private static RequestHead accepted(String lines, boolean forward, boolean secure) {
        ParsedHead<RequestHead> read = read(lines, forward, secure);
        assertThat(read.refusal()).as(lines).isNull();
        RequestHead head = read.head();
        assertThat(head).as(lines).isNotNull();
        return head;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                // CONNECT
                "curl, browsers | CONNECT h.example:443 HTTP/1.1~Host: h.example:443 | h.example:443",
                "JDK HttpURLConnection | CONNECT h.example:443 HTTP/1.1~User-Agent: Java/17~Host: h.example"
                        + "~Accept: */*~Proxy-Connection: keep-alive | h.example:443",
                "Apache HttpClient 4.5 | CONNECT h.example:443 HTTP/1.1~Host: h.example | h.example:443",
                "undici | CONNECT h.example:443 HTTP/1.1~host: h.example~connection: close | h.example:443",
                "Node tunnel agent | CONNECT h.example:443 HTTP/1.1~Host: proxy.example:3128 | h.example:443",
                "Node tunnel agent, address | CONNECT h.example:443 HTTP/1.1~Host: 192.0.2.7:3128 | h.example:443",
                "another port | CONNECT h.example:443 HTTP/1.1~Host: h.example:80 | h.example:443",
                "empty Host | CONNECT h.example:443 HTTP/1.1~Host: | h.example:443",
                "empty port | CONNECT h.example:443 HTTP/1.1~Host: h.example: | h.example:443",
                "empty port with a URL | GET http://h.example:/ HTTP/1.1~Host: h.example: | h.example",
                "HTTP/1.0 without Host | CONNECT h.example:443 HTTP/1.0 | h.example:443",
                "IPv6 without port | CONNECT [2001:DB8:0::1]:443 HTTP/1.1~Host: [2001:db8::1] | [2001:db8::1]:443",
                "IPv6 proxy | CONNECT h.example:443 HTTP/1.1~Host: [::1]:3128 | h.example:443",
                "case | CONNECT H.Example:443 HTTP/1.1~Host: h.EXAMPLE | h.example:443",
                "trailing dot | CONNECT h.example.:443 HTTP/1.1~Host: h.example | h.example:443",
                "A-label | CONNECT xn--bcher-kva.example:443 HTTP/1.1~Host: XN--bcher-kva.example"
                        + " | xn--bcher-kva.example:443",
                "underscore | CONNECT h_1.example:443 HTTP/1.1~Host: p_1.example | h_1.example:443",
                // absolute-form
                "curl | GET http://h.example/ HTTP/1.1~Host: h.example | h.example",
                "curl -H Host | GET http://h.example/ HTTP/1.1~Host: other.example | h.example",
                "default port in the target | GET http://h.example:80/ HTTP/1.1~Host: h.example | h.example:80",
                "default port in Host | GET http://h.example/ HTTP/1.1~Host: h.example:80 | h.example",
                "port in the target alone | GET http://h.example:8080/ HTTP/1.1~Host: h.example | h.example:8080",
                "proxy as Host | GET http://h.example/ HTTP/1.1~Host: proxy.example:3128 | h.example",
                "trailing dot in Host | GET http://h.example/ HTTP/1.1~Host: h.example. | h.example",
                "no path | GET http://h.example HTTP/1.1~Host: p.example | h.example",
                "OPTIONS | OPTIONS http://h.example HTTP/1.1~Host: p.example | h.example",
                "empty Host with a URL | GET http://h.example/ HTTP/1.1~Host: | h.example",
                "HTTP/1.0 | GET http://h.example/ HTTP/1.0~Host: p.example | h.example",
            })
    void theTargetCountsOnForwardListeners(String client, String lines, String authority) {
        for (boolean secure : new boolean[] {false, true}) {
            RequestHead head = accepted(lines, true, secure);
            assertThat(head.authority()).isEqualTo(authority);
            if (head.has(FieldName.HOST)) {
                assertThat(head.value(FieldName.HOST))
                        .as("what a later stage reads")
                        .isEqualTo(authority);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no Host | CONNECT h.example:443 HTTP/1.1",
                "no Host with a URL | GET http://h.example/ HTTP/1.1",
                "two | CONNECT h.example:443 HTTP/1.1~Host: h.example:443~Host: h.example:443",
                "two different | GET http://h.example/ HTTP/1.1~Host: h.example~Host: p.example",
                "two of HTTP/1.0 | GET http://h.example/ HTTP/1.0~Host: h.example~Host: p.example",
                "a path | CONNECT h.example:443 HTTP/1.1~Host: p.example/",
                "a user | CONNECT h.example:443 HTTP/1.1~Host: u@p.example",
                "a URL | CONNECT h.example:443 HTTP/1.1~Host: http://p.example",
                "a blank | CONNECT h.example:443 HTTP/1.1~Host: p example",
                "a list | GET http://h.example/ HTTP/1.1~Host: h.example, p.example",
                "a port beyond 65535 | CONNECT h.example:443 HTTP/1.1~Host: p.example:65536",
                "an empty port of CONNECT | CONNECT h.example: HTTP/1.1~Host: h.example:443",
                "two colons | GET http://h.example/ HTTP/1.1~Host: h.example::",
                "a port alone | CONNECT h.example:443 HTTP/1.1~Host: :443",
                "an open bracket | CONNECT h.example:443 HTTP/1.1~Host: [::1",
                "a zone | CONNECT h.example:443 HTTP/1.1~Host: [fe80::1%eth0]",
                "an octal address | CONNECT h.example:443 HTTP/1.1~Host: 0177.0.0.1",
                "beyond ASCII | CONNECT h.example:443 HTTP/1.1~Host: b\u00fccher.example",
                "a target without a port | CONNECT h.example HTTP/1.1~Host: h.example",
                "a user in the target | GET http://u@h.example/ HTTP/1.1~Host: h.example",
            })
    void anUnusableHostIsAnErrorOnAllListeners(String fault, String lines) {
        assertThat(read(lines, true, false).refusal()).as(fault).isEqualTo(Refusal.REQUEST_MALFORMED);
        assertThat(read(lines, false, false).refusal()).as(fault).isEqualTo(Refusal.REQUEST_MALFORMED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET http://h.example/ HTTP/1.1~Host: p.example",
                "GET http://h.example/ HTTP/1.1~Host: h.example:8080",
                "GET http://h.example:443/ HTTP/1.1~Host: h.example",
                "GET https://h.example:80/ HTTP/1.1~Host: h.example",
                "GET http://h.example/ HTTP/1.1~Host:",
            })
    void bothMustAgreeOnReverseListeners(String lines) {
        assertThat(read(lines, false, false).refusal()).isEqualTo(Refusal.REQUEST_MALFORMED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET http://H.Example.:80/ HTTP/1.1~Host: h.example | h.example:80 | h.example",
                "GET https://h.example/ HTTP/1.1~Host: h.example:443 | h.example | h.example:443",
                "CONNECT h.example:443 HTTP/1.1~Host: h.example | h.example:443 | h.example:443",
            })
    void spellingsOfOneHostAgreeOnReverseListeners(String lines, String authority, String host) {
        RequestHead head = accepted(lines, false, false);
        assertThat(head.authority()).isEqualTo(authority);
        assertThat(head.value(FieldName.HOST)).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1~Host: P.example. | p.example",
                "OPTIONS * HTTP/1.1~Host: p.example:81 | p.example:81"
            })
    void hostCountsWhereTheTargetNamesNone(String lines, String authority) {
        for (boolean forward : new boolean[] {false, true}) {
            RequestHead head = accepted(lines, forward, false);
            assertThat(head.authority()).isEqualTo(authority);
            assertThat(head.value(FieldName.HOST)).isEqualTo(authority);
        }
    }
}
