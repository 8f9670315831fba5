package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests warnings about routes that require less than others. */
class RouteWarningsTest extends WarningsFixture {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{host: a.example, upstream: app} ~ {host: '*', upstream: app, token: off} ~ */: leads to upstream app"
                        + " without the token: required of routes.0 (gateway.yaml:7:3), a.example/",
                "{host: a.example, upstream: app, token: session} ~ {host: '*', upstream: app, token: optional} ~"
                        + " without the token: session",
                "{host: a.example, upstream: app} ~ {host: '*.example', upstream: app, token: off} ~ *.example/: leads"
                        + " to",
                "{host: '*.a.example', upstream: app} ~ {host: '*.example', upstream: app, token: off} ~ *.example/:"
                        + " leads to",
                "{host: a.example, upstream: app, token: off, rate-limit: site} ~ {host: '*', upstream: app, token:"
                        + " off} ~ without the rate-limit: site",
                "{host: a.example, path: /api, upstream: app} ~ {host: '*', path: /, upstream: app, token: off} ~ */:"
                        + " leads to",
                "{host: a.example, upstream: app} ~ {host: '*', path: /open, upstream: app, token: off} ~ */open:"
                        + " leads to",
            })
    void warnsOfWeakerRouteForManyHosts(String strict, String wide, String expected) {
        assertThat(warnings(SITE + "routes:\n- " + strict + "\n- " + wide + "\n"))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:8:")
                .contains(": routes.1.host: ", expected, "Give both routes the same, or separate upstreams");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{host: a.example, upstream: app} ~ {host: '*', upstream: other, token: off}",
                "{host: a.example, upstream: app} ~ {host: '*', upstream: app}",
                "{host: a.example, upstream: app} ~ {host: b.example, upstream: app, token: off}",
                "{host: a.example, upstream: app, token: off} ~ {host: '*', upstream: app}",
                "{host: '*', path: /api, upstream: app} ~ {host: '*', path: /, upstream: app, token: off}",
                "{host: a.example, upstream: app} ~ {host: '*', upstream: app, token: off, redirect: {to:"
                        + " 'https://a.example{path}'}}",
                "{host: a.example, path: /api, upstream: app} ~ {host: '*', path: /open, upstream: app, token: off}",
            })
    void doesNotWarnOfRoutesToOtherUpstreamsOrWithTheSameRules(String one, String other) {
        assertThat(warnings(SITE + "routes:\n- " + one + "\n- " + other + "\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{upstream: app} ~ {upstream: other, token: off, match: {cookies: {beta: '1'}}} ~ */ [cookie beta=1]: clients"
                        + " choose whether they fulfil this, and so avoid the token: required of routes.0"
                        + " (gateway.yaml:7:3), */. Require at least the same here",
                "{upstream: app} ~ {path: /a, upstream: app, token: optional, match: {methods: [POST, GET]}} ~"
                        + " */a [GET|POST]: clients choose",
                "{host: '*.example', upstream: app, token: optional} ~ {host: a.example, upstream: app, token: off, match:"
                        + " {query: {v: '2'}}} ~ token: optional of routes.0",
                "{upstream: app, token: off, rate-limit: site} ~ {upstream: app, token: off, match: {headers: {X-A: b}}}"
                        + " ~ */ [x-a:b]: clients choose whether they fulfil this, and so avoid the rate-limit: site",
                "{upstream: app, token: off, rate-limit: site} ~ {upstream: app, token: off, rate-limit: fast, match:"
                        + " {headers: {X-A: b}}} ~ avoid the rate-limit: site",
                "{upstream: app, match: {methods: [GET]}} ~ {upstream: app, token: off, match: {methods: [GET], headers:"
                        + " {X-A: b}}} ~ token: required of routes.0 (gateway.yaml:7:3), */ [GET]",
            })
    void warnsOfConditionsThatWeaken(String strict, String conditional, String expected) {
        String site = SITE.replace("rate: 10/s}", "rate: 10/s}, {name: fast, rate: 40000/h}");
        assertThat(warnings(site + "routes:\n- " + strict + "\n- " + conditional + "\n"))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:8:")
                .contains(": routes.1.match: ", expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{upstream: app} ~ {upstream: other, match: {cookies: {beta: '1'}}}",
                "{upstream: app} ~ {upstream: other, token: session, match: {cookies: {beta: '1'}}}",
                "{upstream: app, token: off} ~ {upstream: app, match: {methods: [POST]}}",
                "{path: /a, upstream: app} ~ {path: /b, upstream: app, token: off, match: {methods: [POST]}}",
                "{host: a.example, upstream: app} ~ {host: b.example, upstream: app, token: off, match: {methods: [POST]}}",
                "{upstream: app, match: {methods: [POST]}} ~ {upstream: app, token: off, match: {methods: [GET]}}",
                "{upstream: app, match: {headers: {X-A: a}}} ~ {upstream: app, token: off, match: {headers: {X-A: b}}}",
                "{host: a.example, upstream: app} ~ {host: a.example, upstream: app, token: off, match: {methods: [GET]},"
                        + " redirect: {to: 'https://b.example{path}'}}",
            })
    void doesNotWarnOfConditionsThatWeakenNothing(String one, String other) {
        assertThat(warnings(SITE + "routes:\n- " + one + "\n- " + other + "\n")).isEmpty();
    }
}
