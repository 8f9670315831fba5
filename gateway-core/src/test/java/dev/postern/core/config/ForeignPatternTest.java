package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.ForeignPattern.Severity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the severity and the spelling that messages propose, by the program that a pattern is from. */
class ForeignPatternTest {

    private static final String ALL = "no pattern, since a path is a prefix; write ";
    private static final String SOME = "no pattern, since a path is a prefix; write each path by itself, or ";

    private static void assertFound(@Nullable ForeignPattern found, Severity severity, String text) {
        assertThat(found).isEqualTo(new ForeignPattern(severity, text));
    }

    /** Everything below one prefix. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '"',
            value = {
                // Ant, Spring, Caddy, Cloudflare, servlets
                "/admin/** /admin",
                "/admin/**/ /admin",
                "/api/* /api",
                "/api* /api",
                "/api** /api",
                "/* /",
                "/** /",
                "/a/*/** /a",
                "//api//* /api",
                "/caf%c3%a9/* /caf%C3%A9",
                "*/api/* /api",
                "api/** /api",
                // regular expressions
                "/api/.* /api",
                "/api/.+ /api",
                "/api.* /api",
                "/.* /",
                "^/api /api",
                "^/api/ /api",
                "^/api/.*$ /api",
                "/api$ /api",
                "/api/$ /api",
                "^/$ /",
                "/api/? /api",
                "/api/?$ /api",
                "/api(/.*)?$ /api",
                "/api(.*) /api",
                "/api(/|$)(.*) /api",
                "/api(?:/.*)? /api",
                "/api/(.*) /api",
                "/api/(?<rest>.*) /api",
                "/api/[^/]+ /api",
                "/api/\\d+ /api",
                "/v1\\.0/.* /v1.0",
                "/v1\\.0 /v1.0",
                "^\\/api\\/v1 /api/v1",
                "/api/\\w* /api",
                // nginx
                "\"~ ^/api\" /api",
                "\"~* ^/api/\" /api",
                "\"^~ /api\" /api",
                "\"= /api\" /api",
                // parameters: Express, Rails, Spring, Go, Flask, Next.js
                "/users/:id /users",
                "/users/:id? /users",
                "/users/:id.:format /users",
                "/flights/:from-:to /flights",
                "/users/:id(\\d+) /users",
                "/files/:path* /files",
                "/users/{id} /users",
                "/users/{id:[0-9]+} /users",
                "/files/{*path} /files",
                "/files/{path...} /files",
                "/users/<int:id> /users",
                "/users/[id] /users",
                "/docs/[...slug] /docs",
                "/docs/[[...slug]] /docs",
                // Traefik, HAProxy, Apache, Kong
                "PathPrefix(`/api`) /api",
                "PathRegexp(`^/api/.*$`) /api",
                "Path('/api') /api",
                "\"{ path_beg /api }\" /api",
                "path(/api) /api",
                "/%{REQUEST_URI} /",
                "~/api /api",
                "https://a.example/api /api",
            })
    void refusesPatternsOfPathsBelowAPrefix(String path, String prefix) {
        assertFound(ForeignPattern.ofPath(path), Severity.PROBLEM, ALL + prefix);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '"',
            value = {
                "/api/*/users /api",
                "/**/admin /",
                "/static/*.css /static",
                "/*.php /",
                "/v[0-9]+/api /",
                "/v\\d+/api /",
                "/users/:id/posts /users",
                "/users/:id.json /users",
                "/users/{id}/posts /users",
                "/(api|web) /",
                "/x/(api|web)/y /x",
                "/x(api|web) /",
                "/img{1,2} /",
                "/a,/b /a",
                "\"/a, /b\" /a",
                "\"/a /b\" /a",
                "/a|/b /a",
                "/.*\\.(css|js)$ /",
                "PathPrefix(`/a`)||PathPrefix(`/b`) /a",
                "/search?q=1 /search",
                "/(?i)admin /",
            })
    void refusesPatternsOfSomePathsBelowAPrefix(String path, String prefix) {
        assertFound(ForeignPattern.ofPath(path), Severity.PROBLEM, SOME + prefix + " for all below it");
    }

    /** The opposite must not be proposed. */
    @Test
    void refusesNegations() {
        assertFound(ForeignPattern.ofPath("!/api"), Severity.PROBLEM, "no negation; write the paths that are meant");
        assertFound(
                ForeignPattern.ofHost("!a.example"), Severity.PROBLEM, "no negation; write the hosts that are meant");
    }

    @ParameterizedTest
    @CsvSource({"api, /api", "api/v1/, /api/v1", "admin.php, /admin.php", "api-v1, /api-v1"})
    void asksForTheFirstSlash(String path, String written) {
        assertFound(ForeignPattern.ofPath(path), Severity.PROBLEM, "a path that starts with /; write " + written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://u:s3cret@a.example/api", "redis://:s3cret@a", "x://a/*"})
    void repeatsNoPassword(String url) {
        assertThat(ForeignPattern.ofPath(url)).isNull();
        assertThat(ForeignPattern.ofHost(url)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/web/2020*0101/x, *, /web",
        "/a*b, *, /",
        "/x/a|b, |, /x",
        "/x/a^b, ^, /x",
        "/x/$1, $, /x",
        "/x/a[1], [, /x",
        "/x/a(b, (, /x",
        "/pkg/..., ..., /pkg",
    })
    void warnsOfCharactersThatMayBeMeant(String path, String character, String prefix) {
        assertFound(
                ForeignPattern.ofPath(path),
                Severity.WARNING,
                character + " stands for itself, since a path is a prefix; if it is a pattern, write " + prefix);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api",
                "/api/",
                "/api/v1.0",
                "/$metadata",
                "/Products/$count",
                "/Products(1)",
                "/Products(Id='a')/x",
                "/wiki/Foo_(bar)",
                "/(group)/x",
                "/a$b",
                "/@user",
                "/@user/x",
                "/~home",
                "/a:b",
                "/v1/x:verb",
                "/:w:/r/sites",
                "/c++",
                "/a+b",
                "/+page",
                "/a,b",
                "/a!b",
                "/!",
                "/a'b",
                "/a=b&c",
                "/=x",
                "/-",
                "/_next/static",
                "/.well-known/x",
                "/..a",
                "/caf%C3%A9",
                "/a%20b",
                "/index.html",
            })
    void readsOrdinaryPathsAsTheyAre(String path) {
        assertThat(ForeignPattern.ofPath(path)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '"',
            value = {
                ".example.com *.example.com",
                "**.example.com *.example.com",
                "*.Example.com:443 *.example.com",
                "{sub}.example.com *.example.com",
                ":sub.example.com *.example.com",
                "<sub>.example.com *.example.com",
                ".*.example.com *.example.com",
                "^.*\\.example\\.com$ *.example.com",
                "\"~^(.+)\\.example\\.com$\" *.example.com",
                "[^.]+\\.example\\.com *.example.com",
                "\\w+\\.example\\.com *.example.com",
                "^www\\.example\\.com$ www.example.com",
                "~www.example.com www.example.com",
                "\"~* www.example.com\" www.example.com",
                "=www.example.com www.example.com",
                "(www\\.)?example\\.com example.com",
                "example.com:8080 example.com",
                "example.com:* example.com",
                "https://Example.com/ example.com",
                "https://example.com:8443/x example.com",
                "example.com/api example.com",
                "Host(`example.com`) example.com",
                "HostRegexp(`^.+\\.example\\.com$`) *.example.com",
                "::1 [::1]",
                "** *",
                ".* *",
                "*:8080 *",
            })
    void refusesPatternsOfHosts(String host, String written) {
        assertFound(
                ForeignPattern.ofHost(host),
                Severity.PROBLEM,
                "a host, *.suffix or *, without a port; write " + written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.example, b.example", "a.example b.example", "a.example|b.example", "a.example,b.example"})
    void refusesListsOfHosts(String host) {
        assertFound(
                ForeignPattern.ofHost(host), Severity.PROBLEM, "one host, *.suffix or *; write each host by itself");
    }

    @ParameterizedTest
    @CsvSource({
        "_, PROBLEM, 'a host, or any; write *'",
        "0.0.0.0, WARNING, '0.0.0.0 stands for itself, since a host is what clients name; if it is any, write *'",
    })
    void knowsOtherSpellingsOfAnyHost(String host, Severity severity, String text) {
        assertFound(ForeignPattern.ofHost(host), severity, text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "*.example.com",
                "example.com",
                "Example.com.",
                "my_app.test",
                "_dmarc.example.com",
                "a~b.example",
                "localhost",
                "127.0.0.1",
                "[::1]",
                "default",
                "xn--bcher-kva.example"
            })
    void readsOrdinaryHostsAsTheyAre(String host) {
        assertThat(ForeignPattern.ofHost(host)).isNull();
    }

    /** Hosts that are refused without a proposal, since none means the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a..example",
                "10.0.0.0/8",
                "fd00::/8",
                "www.*",
                "a*.example.com",
                "*.*.example.com",
                "www.example.*"
            })
    void proposesNothingWhereNothingIsMeantAlike(String host) {
        assertThat(ForeignPattern.ofHost(host)).isNull();
        assertThat(Spelling.isHost(Spelling.host(host))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "^/old/(.*)$ /new/$1            | ^/old/(.*)$ -> /new/$1",
                "^/old/(.*)$ /new/$1 break;     | ^/old/(.*)$ -> /new/$1",
                "^/old/(.*)$ => /new/$1         | ^/old/(.*)$ -> /new/$1",
                "^/old/(.*)$->/new/$1           | ^/old/(.*)$ -> /new/$1",
                "^/old/(.*)$ -> /new/\\1        | ^/old/(.*)$ -> /new/$1",
                "^/old/(.*)$ -> /new/${1}       | ^/old/(.*)$ -> /new/$1",
                "/old/* -> /new/*               | ^/old/(.*)$ -> /new/$1",
                "/old/** -> /new/**             | ^/old/(.*)$ -> /new/$1",
                "/old/* -> /new/$1              | ^/old/(.*)$ -> /new/$1",
                "/v1.0/* -> /new                | ^/v1\\.0/(.*)$ -> /new",
                "/u/:id/x -> /user/:id          | ^/u/([^/]+)/x$ -> /user/$1",
                "/u/{id} -> /user/{id}          | ^/u/([^/]+)$ -> /user/$1",
                "/new/$1                        | ^/api/(.*)$ -> /new/$1",
            })
    void refusesRewritesOfOtherPrograms(String rewrite, String written) {
        assertFound(
                ForeignPattern.ofRewrite(rewrite, "/api"),
                Severity.PROBLEM,
                "a path, or a regular expression with an arrow; write " + written);
    }

    @ParameterizedTest
    @CsvSource({"/new/*, /new", "/new/:id, /new", "/new/.*, /new", "/new$, /new"})
    void refusesPatternsInTheNewPath(String rewrite, String written) {
        assertFound(
                ForeignPattern.ofRewrite(rewrite, "/api"),
                Severity.PROBLEM,
                "no pattern, since a rewrite without an arrow is a path; write " + written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/new",
                "/",
                "/new/$metadata",
                "^/old/(.*)$ -> /new/$1",
                "/old -> /new",
                "^/old$ -> /new",
                "/(a|b)/(.*) -> /$2/$1",
                "^/old/?$ -> /new",
                "^/[0-9]{4}/(.*)$ -> /y/$1",
                "/old/.* -> /new",
                "/old/+ -> /new",
                "^/a:b/(.*)$ -> /a:c/$1"
            })
    void readsOrdinaryRewritesAsTheyAre(String rewrite) {
        assertThat(ForeignPattern.ofRewrite(rewrite, "/api")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "X-Internal-*, 'no pattern, but the name of one field; write each name by itself'",
        "*, 'no pattern, but the name of one field; write each name by itself'",
        "^X-Internal, 'no pattern, but the name of one field; write each name by itself'",
        "X-A|X-B, 'no pattern, but the name of one field; write each name by itself'",
        "$http_x_real_ip, the name of a field; write x-real-ip",
    })
    void refusesPatternsOfFieldNames(String name, String text) {
        assertFound(ForeignPattern.ofFieldName(name), Severity.PROBLEM, text);
    }

    @ParameterizedTest
    @CsvSource({
        "$remote_addr, '$remote_addr stands for itself; for its value, write {client-address}'",
        "a $host b, '$host stands for itself; for its value, write {host}'",
        "https://a.example$request_uri, '$request_uri stands for itself; for its value, write {path}{query}'",
        "$http_x_real_ip, $http_x_real_ip stands for itself; it has no placeholder here",
        "/new/$1, $1 stands for itself; it has no placeholder here",
        "%[src], '%[src] stands for itself; for its value, write {client-address}'",
        "%REQ(:PATH)%, '%REQ(:PATH)% stands for itself; for its value, write {path}{query}'",
    })
    void warnsOfVariablesInTemplates(String template, String text) {
        assertFound(ForeignPattern.ofTemplate(template), Severity.WARNING, text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{host}", "$", "US$ 5,$x", "$hosts", "100%", "%20%41", "a%2Fb%", "/$metadata", "max-age=3600"
            })
    void readsOrdinaryTemplatesAsTheyAre(String template) {
        assertThat(ForeignPattern.ofTemplate(template)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "{{ .Values.host }}, '{{ .Values.host }} stands for itself; nothing fills it in here'",
        "a-{{host_name}}.example, '{{host_name}} stands for itself; nothing fills it in here'",
        "{{- $name -}}, '{{- $name -}} stands for itself; nothing fills it in here'",
        "https://{{ host }}{path}, '{{ host }} stands for itself; for its value, write {host}'",
    })
    void warnsOfTemplatesThatNothingFilled(String text, String found) {
        assertFound(ForeignPattern.ofUnfilled(text), Severity.WARNING, found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{host}", "{{", "{{}}", "{{\"group\":\"x\",\"endpoints\":[{{\"url\":\"/r\"}]}", "a{{b"})
    void readsOtherBracesAsTheyAre(String text) {
        assertThat(ForeignPattern.ofUnfilled(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Internal-Id", "$WSRA", "x_y", "a.b", "X!"})
    void readsOrdinaryFieldNamesAsTheyAre(String name) {
        assertThat(ForeignPattern.ofFieldName(name)).isNull();
    }
}
