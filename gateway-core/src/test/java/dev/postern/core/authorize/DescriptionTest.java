package dev.postern.core.authorize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.ListenerInfo.Dialect;
import dev.postern.core.exchange.ListenerInfo.Questions;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptionTest {

    private static final Questions NGINX = new Questions(Dialect.NGINX, "");
    private static final Questions FORWARDED = new Questions(Dialect.FORWARDED, "");
    private static final Questions ENVOY = new Questions(Dialect.ENVOY, "/ask");

    private static RequestHead head(String... fields) {
        RequestHead head = new RequestHead().authority("gateway").target("/question", "?own=1");
        head.add(FieldName.HOST, "gateway");
        for (String field : fields) {
            String[] parts = field.split(": ", 2);
            head.add(FieldName.of(parts[0]), parts[1]);
        }
        return head;
    }

    private static RequestHead forwarded(String method, String proto, String host, String uri) {
        return head(
                "X-Forwarded-Method: " + method,
                "X-Forwarded-Proto: " + proto,
                "X-Forwarded-Host: " + host,
                "X-Forwarded-Uri: " + uri);
    }

    private static RequestHead nginx(String method, String url) {
        return head("X-Original-Method: " + method, "X-Original-URL: " + url);
    }

    private static RequestHead read(RequestHead head, Questions questions) {
        Description.apply(head, questions);
        return head;
    }

    private static void assertDescribed(RequestHead head) {
        assertThat(head.method()).isEqualTo(Method.POST);
        assertThat(head.scheme()).isEqualTo("https");
        assertThat(head.authority()).isEqualTo("site.example:8443");
        assertThat(head.host()).isEqualTo("site.example");
        assertThat(head.path()).isEqualTo("/a/b");
        assertThat(head.sentPath()).isEqualTo("/a/./b");
        assertThat(head.query()).isEqualTo("?q=%20");
        assertThat(head.absolute()).isFalse();
        assertThat(head.joined(FieldName.HOST)).isEqualTo("site.example:8443");
        assertThat(head.joined(FieldName.X_FORWARDED_PROTO)).isEqualTo("https");
    }

    @Test
    void nginxSendsUrlAndMethod() {
        RequestHead head = read(nginx("POST", "https://Site.example:8443/a/./b?q=%20"), NGINX);
        assertDescribed(head);
        assertThat(head.messageMethod()).isEqualTo(Method.GET);
    }

    @Test
    void forwardAuthSendsTheParts() {
        assertDescribed(read(forwarded("POST", "https", "Site.example:8443", "/a/./b?q=%20"), FORWARDED));
        assertDescribed(read(forwarded("POST", "WSS", "site.example:8443", "/a/./b?q=%20"), FORWARDED));
    }

    @Test
    void envoySendsTheRequestBelowThePrefix() {
        RequestHead head = new RequestHead()
                .method(Method.POST)
                .authority("site.example:8443")
                .scheme("https")
                .target("/ask/a/./b", "?q=%20");
        head.add(FieldName.X_FORWARDED_PROTO, "https");
        assertDescribed(read(head, ENVOY));
        assertThat(head.messageMethod()).isEqualTo(Method.POST);
    }

    @Test
    void aHeadIsDescribedByAGet() {
        RequestHead head = read(nginx("HEAD", "http://a/"), NGINX);
        assertThat(head.method()).isEqualTo(Method.HEAD);
        assertThat(head.messageMethod()).isEqualTo(Method.GET);
        head.reset();
        assertThat(head.method()).isEqualTo(head.messageMethod());
    }

    @Test
    void fieldsThatTheDialectDoesNotNameAreGone() {
        RequestHead head = nginx("GET", "http://a/");
        for (String name : new String[] {"Forwarded", "X-Forwarded-Host", "X-Forwarded-Uri", "X-Forwarded-Port"}) {
            head.add(FieldName.of(name), "https");
        }
        head.add(FieldName.X_FORWARDED_PROTO, "https");
        head.add(FieldName.X_FORWARDED_FOR, "192.0.2.1");
        read(head, NGINX);
        assertThat(head.joined(FieldName.X_FORWARDED_PROTO)).isEqualTo("http");
        assertThat(head.joined(FieldName.X_FORWARDED_FOR)).isEqualTo("192.0.2.1");
        assertThat(head.has(FieldName.FORWARDED)).isFalse();
        assertThat(head.has(FieldName.X_FORWARDED_HOST)).isFalse();
        assertThat(head.has(FieldName.X_FORWARDED_PORT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Original-Method", "X-Original-URL"})
    void nginxMustSendEachFieldOnce(String name) {
        RequestHead missing = nginx("GET", "http://a/");
        missing.remove(FieldName.of(name));
        assertIncomplete(missing, NGINX, "no " + name);
        RequestHead twice = nginx("GET", "http://a/");
        twice.add(FieldName.of(name), "x");
        assertIncomplete(twice, NGINX, "several " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-Method", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Uri"})
    void forwardAuthMustSendEachFieldOnce(String name) {
        RequestHead missing = forwarded("GET", "http", "a", "/");
        missing.remove(FieldName.of(name));
        assertIncomplete(missing, FORWARDED, "no " + name);
        RequestHead twice = forwarded("GET", "http", "a", "/");
        twice.add(FieldName.of(name), "x");
        assertIncomplete(twice, FORWARDED, "several " + name);
    }

    private static void assertIncomplete(RequestHead head, Questions questions, String reason) {
        assertThatThrownBy(() -> Description.apply(head, questions))
                .isInstanceOf(Description.IncompleteException.class)
                .hasMessage(reason.toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest
    @CsvSource({"/other/x", "/asking/x", "/ask", "/as"})
    void envoyMustSendThePrefix(String path) {
        RequestHead head = new RequestHead().authority("a").target(path, "");
        assertThatThrownBy(() -> Description.apply(head, ENVOY)).isInstanceOf(RuntimeException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/a",
                "ftp://a/",
                "http:///",
                "http://",
                "http://a b/",
                "http://a/%",
                "http://a/\"",
                "http://a/%00",
                "http://user@a/",
                "http://a/../..",
                "http://a:99999/",
                "http://a#b",
                "https//a/"
            })
    void malformedUrlsAreFaultsOfTheClient(String url) {
        assertThatThrownBy(() -> Description.apply(nginx("GET", url), NGINX)).isInstanceOf(HttpParseException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'', http, a, /",
        "G T, http, a, /",
        "GET, gopher, a, /",
        "GET, 'http, https', a, /",
        "GET, http, '', /",
        "GET, http, 'a, b', /",
        "GET, http, a, ''",
        "GET, http, a, x",
        "GET, http, a, http://b/",
        "GET, http, a, /%zz"
    })
    void malformedPartsAreFaultsOfTheClient(String method, String proto, String host, String uri) {
        assertThatThrownBy(() -> Description.apply(forwarded(method, proto, host, uri), FORWARDED))
                .isInstanceOf(HttpParseException.class);
    }

    /**
     * nginx forwards the path of the request line, whatever is in {@code Host}: with {@code Host: a?} the URL has no path of its own, and
     * {@code /page} becomes a query.
     */
    @ParameterizedTest
    @ValueSource(strings = {"http://a?/page", "http://a:80?x/page", "http://a?", "http://a"})
    void aUrlWithoutAPathHasNoReading(String url) {
        assertThatThrownBy(() -> Description.apply(nginx("GET", url), NGINX)).isInstanceOf(HttpParseException.class);
    }

    @Test
    void longUrlsAreRead() {
        String path = "/" + "p".repeat(60_000);
        assertThat(read(nginx("GET", "http://a" + path), NGINX).path()).isEqualTo(path);
    }
}
