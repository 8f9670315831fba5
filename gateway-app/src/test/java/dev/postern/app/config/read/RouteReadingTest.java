package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.RouteConfig;
import dev.postern.core.route.ForwardSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the messages about routes, and that routes are read in the normal form of requests. */
class RouteReadingTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "headers: {set: {Host: x}} ~ headers.set.Host: Host (expected: another field; upstreams[].host sets"
                        + " Host)",
                "headers: {remove: [a b]} ~ headers.remove.0: a b (expected: the name of a field, and none"
                        + " of framing, routing or single connections)",
                "headers: {response: {add: {X: '{nonsense}'}}} ~ headers.response.add.X: {nonsense} (expected:"
                        + " none but {client-address} {host} {scheme} {path} {query} {request-id} {client-cert-subject} {client-cert-fingerprint}, and {{ for a brace)",
                "match: {methods: [get]} ~ match.methods.0: get (expected: a method such as GET, in upper case, but CONNECT"
                        + " or TRACE)",
                "match: {methods: [CONNECT]} ~ match.methods.0: CONNECT (expected: a method such as GET, in upper case, but"
                        + " CONNECT or TRACE)",
                "match: {headers: {X-Real-IP: 127.0.0.1}} ~ match.headers.X-Real-IP: X-Real-IP (expected: a field that clients"
                        + " may send, and none of framing, routing or single connections; for Cookie use cookies)",
                "match: {headers: {cookie: a=b}} ~ match.headers.cookie: cookie (expected: a field that clients may send, and"
                        + " none of framing, routing or single connections; for Cookie use cookies)",
                "match: {headers: {X-A: ' b'}} ~ match.headers.X-A:  b (expected: a value without blanks around)",
                "match: {cookies: {'a b': c}} ~ match.cookies.a b: a b (expected: the name of a cookie)",
                "allow: [x] ~ allow.0: x (expected: an address range such as 10.0.0.0/8 or fd00::/8, or a file, in"
                        + " quotes and after an at sign)",
                "deny: [10.0.0.0/8, '@'] ~ deny.1: @ (expected: an address range such as 10.0.0.0/8 or fd00::/8, or a file,"
                        + " in quotes and after an at sign)",
                "upstreams: [{name: app}] ~ upstream: app (expected: one of upstream, upstreams and respond)",
                "respond: {} ~ upstream: app (expected: one of upstream, upstreams and respond)",
                "error-pages: {up: nowhere} ~ error-pages: up (expected: a status such as 404, or a code such as"
                        + " upstream-down)",
                "error-pages: {404: nowhere} ~ error-pages.404: nowhere (expected: a file that can be read)",
                "rewrite: new ~ rewrite: new (expected: a path such as /new, or PATTERN -> /new/$1)",
                "rewrite: /..%23/new ~ rewrite: /..%23/new (expected: a path that a request may have: no broken escape,"
                        + " no encoded backslash or control character, no reading above the root)",
                "redirect: {to: '//evil'} ~ redirect.to: //evil (expected: a place such as"
                        + " https://{host}{path}{query}, or a path such as /new)",
                "redirect: {to: 'https://{host}/'} ~ redirect.to: https://{host}/ (expected: the name of a"
                        + " host, or a route with one, since clients name any host)",
                "redirect: {to: /, status: 200} ~ redirect.status: 200 (expected: 301 | 302 | 303 | 307 |" + " 308)",
                "maintenance: {page: nowhere} ~ maintenance.page: nowhere (expected: a file that can be read)",
                "maintenance: {retry-after: 0s} ~ maintenance.retry-after: 0s (expected: 1s..7d)",
                "maintenance: {bypass: [x]} ~ maintenance.bypass.0: x (expected: an address range such as"
                        + " 10.0.0.0/8 or fd00::/8)",
                "upgrade: {protocols: [h2c]} ~ upgrade.protocols.0: h2c (expected: a protocol in small"
                        + " letters, such as websocket, and not h2c)",
                "upgrade: {idle: 0s} ~ upgrade.idle: 0s (expected: 1ms..7d)",
            })
    void refusesInRoutes(String keys, String expected) {
        String text = ConfigReaderTest.GOOD.replace("upstream: app}", "upstream: app, " + keys + "}");
        assertThat(problems(read(text))).singleElement().asString().endsWith(": routes.0." + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "timeout: 1s ~ upstream: nothing (expected: the name of an upstream; or upstreams, respond or redirect)",
                "upstreams: [{name: app, weight: 0}] ~ upstreams: weights of 0 (expected: at least one weight above 0)",
                "upstreams: [{name: ap}] ~ upstreams.0.name: ap (expected: the name of an upstream: app, did you mean app?)",
                "upstreams: [{name: app}], respond: {} ~ upstream: nothing (expected: one of upstream, upstreams and respond)",
                "respond: {status: 204, body: x} ~ respond.body: a body (expected: none with status 204)",
                "respond: {body: '{\"a\": {code}}'} ~ respond.body: {\"a\": {code}} (expected: none but {request-id} {status}, and"
                        + " {{code} for the text itself)",
                "respond: {headers: {Content-Length: '1'}} ~ respond.headers.Content-Length: Content-Length (expected: the"
                        + " name of a field, and none of framing, routing or single connections)",
                "redirect: {to: '//evil'} ~ redirect.to: //evil (expected: a place such as https://{host}{path}{query}, or a"
                        + " path such as /new)",
            })
    void refusesOtherDestinations(String keys, String expected) {
        String text = ConfigReaderTest.GOOD.replace("upstream: app}", keys + "}");
        assertThat(problems(read(text))).singleElement().asString().endsWith(": routes.0." + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "path: api ~ path: api",
                "path: /a?b ~ path: /a?b",
                "path: /a%2Fb ~ path: /a%2Fb",
                "path: /a;v=1 ~ path: /a;v=1",
                "path: /%2561 ~ path: /%2561",
                "path: /%40user ~ path: /%40user",
                "path: /../a ~ path: /../a",
                "path: /a%C0%AF ~ path: /a%C0%AF",
                "path: '/a b' ~ path: /a b",
                "path: /.postern/ ~ path: /.postern",
                "path: /.postern/room ~ path: /.postern/room",
                "host: a..example ~ host: a..example",
                "host: 'a.example:80' ~ host: a.example:80",
                "host: '*.' ~ host: *.",
                "host: 'a*' ~ host: a*"
            })
    void refusesAmbiguousRoutes(String keys, String expected) {
        String text =
                ConfigReaderTest.GOOD.replace("host: \"*\", path: /, upstream: app}", "upstream: app, " + keys + "}");
        assertThat(problems(read(text))).singleElement().asString().contains(": routes.0." + expected + " (expected: ");
    }

    @ParameterizedTest
    @CsvSource({
        "*, /api/, */api",
        "*, /, */",
        "*, //api//v1/./x/../, */api/v1",
        "*, /%61pi, */api",
        "*, /caf%c3%a9/, */caf%C3%A9",
        "Api.Example., /, api.example/",
        "*.Example., /x/, *.example/x",
        "[0:0:0:0:0:0:0:1], /, [::1]/"
    })
    void normalizesRoutesLikeRequests(String host, String path, String expected) {
        String text =
                ConfigReaderTest.GOOD.replace("host: \"*\", path: /,", "host: \"" + host + "\", path: " + path + ",");
        LoadedConfig config = read(text);
        assertThat(config.problems()).isEmpty();
        RouteConfig route = config.config().routes().get(0);
        assertThat(route.host() + route.path()).isEqualTo(expected);
    }

    /** ForeignPatternTest has the patterns; these are the keys. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "routes.0.path=/admin/** ~ routes.0.path: /admin/** (expected: no pattern, since a path is a prefix; write"
                        + " /admin)",
                "routes.0.path=/api/* ~ routes.0.path: /api/* (expected: no pattern, since a path is a prefix; write /api)",
                "routes.0.path=/api/.* ~ routes.0.path: /api/.* (expected: no pattern, since a path is a prefix; write"
                        + " /api)",
                "routes.0.path=^/api ~ routes.0.path: ^/api (expected: no pattern, since a path is a prefix; write /api)",
                "routes.0.path=/users/{id}/x ~ routes.0.path: /users/{id}/x (expected: no pattern, since a path is a prefix;"
                        + " write each path by itself, or /users for all below it)",
                "routes.0.host=.a.example ~ routes.0.host: .a.example (expected: a host, *.suffix or *, without a port; write"
                        + " *.a.example)",
                "routes.0.host=_ ~ routes.0.host: _ (expected: a host, or any; write *)",
                "routes.0.host='a.example:80' ~ routes.0.host: a.example:80 (expected: a host, *.suffix or *, without a port;"
                        + " write a.example)",
                "routes.0.rewrite='/old/* -> /new/*' ~ routes.0.rewrite: /old/* -> /new/* (expected: a path, or a regular"
                        + " expression with an arrow; write ^/old/(.*)$ -> /new/$1)",
                "routes.0.rewrite=/new/* ~ routes.0.rewrite: /new/* (expected: no pattern, since a rewrite without an arrow"
                        + " is a path; write /new)",
                "routes.0.headers.remove=[X-Internal-*] ~ routes.0.headers.remove.0: X-Internal-* (expected: no pattern,"
                        + " but the name of one field; write each name by itself)",
                "routes.0.headers.response.set={X-*: a} ~ routes.0.headers.response.set.X-*: X-* (expected: no pattern,"
                        + " but the name of one field; write each name by itself)",
                "rate-limits.0={name: a, rate: 1/s, fair-queue: {bypass: [/static/*]}} ~ rate-limits.0.fair-queue.bypass.0:"
                        + " /static/* (expected: no pattern, since a path is a prefix; write /static)",
                "rate-limits.0={name: a, rate: 1/s, fair-queue: {bypass: ['^/static']}} ~"
                        + " rate-limits.0.fair-queue.bypass.0: ^/static (expected: no pattern, since a path is a prefix;"
                        + " write /static)",
                "forward={x: {allow-names: [.a.example]}} ~ forward.x.allow-names.0: .a.example (expected: a host, *.suffix"
                        + " or *, without a port; write *.a.example)",
                "forward={x: {allow-names: ['a.example:443']}} ~ forward.x.allow-names.0: a.example:443 (expected: a host,"
                        + " *.suffix or *, without a port; write a.example)",
                "admin.allow-hosts=['*.a.example'] ~ admin.allow-hosts.0: *.a.example (expected: a host without a pattern"
                        + " and a port; write each by itself)",
            })
    void refusesPatternsOfOtherPrograms(String flag, String expected) {
        assertThat(problems(read(ConfigReaderTest.GOOD, flag)))
                .singleElement()
                .asString()
                .endsWith(": " + expected);
    }

    @Test
    void showsThePlaceOfAPattern() {
        String routes = ConfigReaderTest.GOOD.replace("path: /,", "path: \"/admin/**\",");
        assertThat(problems(read(routes)))
                .singleElement()
                .asString()
                .matches("gateway\\.yaml:\\d+:\\d+: routes\\.0\\.path: /admin/\\*\\* \\(expected: .* write /admin\\)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "routes.0.path=/a*b ~ routes.0.path: /a*b: * stands for itself, since a path is a prefix; if it is a pattern,"
                        + " write /",
                "routes.0.host=0.0.0.0 ~ routes.0.host: 0.0.0.0: 0.0.0.0 stands for itself, since a host is what clients"
                        + " name; if it is any, write *",
                "routes.0.rewrite=/x/a*b ~ routes.0.rewrite: /x/a*b: * stands for itself, since a rewrite without an arrow"
                        + " is a path; if it is a pattern, write /x",
            })
    void warnsOfCharactersThatMayBeMeant(String flag, String expected) {
        LoadedConfig config = read(ConfigReaderTest.GOOD, flag);
        assertThat(config.problems()).isEmpty();
        assertThat(config.warnings()).extracting(Problem::toString).anyMatch(text -> text.endsWith(": " + expected));
    }

    @Test
    void normalizesNamesOfForwardAndAdminLikeRequests() {
        LoadedConfig config = read(
                ConfigReaderTest.GOOD,
                "forward={x: {allow-names: [A.example., '*.B.example', '[0::1]', '*']}}",
                "admin.allow-hosts=[Gateway.internal.]");
        assertThat(config.problems()).isEmpty();
        assertThat(config.config().forward().values())
                .flatExtracting(ForwardSettings::allowNames)
                .containsExactly("a.example", "*.b.example", "[::1]", "*");
        assertThat(config.config().admin().allowHosts()).containsExactly("gateway.internal");
    }

    @Test
    void refusesRoutesThatAreEqualInNormalForm() {
        String routes =
                "routes=[{host: A.example, path: /api, upstream: app}, {host: a.example., path: /api/, upstream: app}]";
        LoadedConfig config = read(ConfigReaderTest.GOOD, routes);
        assertThat(config.problems())
                .singleElement()
                .asString()
                .endsWith(": routes.1: a.example/api (expected: once; routes.0 has it too)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"path: '/admin/**'", "path: admin", "host: '~ .*'", "host: 'a b'", "host: '*', path: '/a;b'"})
    void comparesNoRouteWithTheStandInOfARefusedOne(String refused) {
        String routes = "routes=[{" + refused + ", upstream: app}, {upstream: app}]";
        assertThat(problems(read(ConfigReaderTest.GOOD, routes)))
                .singleElement()
                .asString()
                .contains("routes.0.");
    }

    private LoadedConfig read(String text, String... flags) {
        return new ConfigReader(Map.of(), List.of(flags)).read("gateway.yaml", text, directory);
    }

    private static List<String> problems(LoadedConfig config) {
        return config.problems().stream().map(Problem::toString).toList();
    }
}
