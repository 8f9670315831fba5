package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests warnings about valid but dangerous values, with position and remedy. */
class WarningsTest extends WarningsFixture {

    @Test
    void warnsOfNothingInACommonConfiguration() {
        assertThat(warnings(SITE + ROUTES)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "listeners.web.trusted-proxies=[0.0.0.0/0] ~ listeners.0.trusted-proxies: [0.0.0.0/0]: every IPv4"
                        + " client",
                "listeners.web.trusted-proxies=['::/0'] ~ listeners.0.trusted-proxies: [::/0]: every IPv6 client",
                "listeners.web.trusted-proxies=[128.0.0.0/1, 0.0.0.0/1] ~ listeners.0.trusted-proxies: [128.0.0.0/1,"
                        + " 0.0.0.0/1]: every IPv4",
                "listeners.web.trusted-proxies=['::ffff:0.0.0.0/96'] ~ listeners.0.trusted-proxies:"
                        + " [::ffff:0.0.0.0/96]: every IPv4",
                "forward.x.allow-private=[0.0.0.0/2, 64.0.0.0/2, 10.0.0.0/8, 128.0.0.0/1] ~ forward.x.allow-private: ",
                "forward.x.allow-private=['64:ff9b::/96'] transport.nat64-prefixes=[] ~ forward.x.allow-private:"
                        + " [64:ff9b::/96]: clients reach every IPv4 address through a NAT64 translator; add its prefix to"
                        + " transport.nat64-prefixes",
                "forward.x.allow-private=['64:ff9b:1::/48'] transport.nat64-prefixes=['64:ff9b::/96'] ~"
                        + " forward.x.allow-private: [64:ff9b:1::/48]: clients reach every IPv4 address",
                "privacy-pass.issuers.0.directory=http://issuer.example/d ~ privacy-pass.issuers.0.directory:"
                        + " http://issuer.example/d: an attacker on the network path can insert keys; use https,"
                        + " or pin the key ids",
                "redis.uri=redis://:s3cret@cache:6379 ~ redis.uri: redis://cache:6379: an attacker on the network"
                        + " path can read the password and change spends; use rediss://",
                "redis.uri=redis://[2001:db8::1]:6379 ~ redis.uri: redis://[2001:db8::1]:6379: an attacker on the network",
                "redis.sentinel={master: main, nodes: ['127.0.0.1:26379', '10.0.0.1:26379']} ~ redis.uri:"
                        + " redis://10.0.0.1:26379: an attacker on the network path can read the password",
                "privacy-pass.issuers.0.directory=https://issuer.example/ ~ privacy-pass.issuers.0.directory:"
                        + " https://issuer.example/: no path; issuers have their directory at"
                        + " https://issuer.example/.well-known/private-token-issuer-directory",
                "privacy-pass.issuers.0.directory=https://issuer.example:8443 ~ privacy-pass.issuers.0.directory:"
                        + " https://issuer.example:8443: no path; issuers have their directory at"
                        + " https://issuer.example:8443/.well-known/private-token-issuer-directory",
                "routes.0.headers.set={X-A: '{client-cert-subject}'} ~ routes.0.headers.set.X-A: {client-cert-subject}: empty,"
                        + " since no listener requires a certificate by tls.client-ca-file",
            })
    void warnsOfDangers(String flag, String expected) {
        LoadedConfig config = read(SITE + ROUTES, flag.split(" (?=transport)"));

        assertThat(config.problems()).isEmpty();
        assertThat(dangers(config)).singleElement().asString().contains(": " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "listeners.web.trusted-proxies=[0.0.0.0/1]",
                "listeners.web.trusted-proxies=[0.0.0.0/1, 128.0.0.0/2, 192.0.0.1/32]",
                "listeners.web.trusted-proxies=['::/1', 10.0.0.0/8]",
                "privacy-pass.issuers.0.directory=http://127.0.0.1/d",
                "privacy-pass.issuers.0.directory=http://[::1]:1/d",
                "privacy-pass.issuers.0={name: a.example, directory: 'http://a.example/d', pin:"
                        + " [0000000000000000000000000000000000000000000000000000000000000000]}",
                "forward.x.allow-private=['64:ff9b::/96', '64:ff9b:1::/48']",
                "redis.uri=redis://localhost",
                "redis.uri=rediss://:s3cret@cache",
            })
    void doesNotWarnOfNarrowRanges(String flag) {
        assertThat(warnings(SITE + ROUTES, flag)).isEmpty();
    }

    private List<String> ofTunnels(String address, String policy) {
        String text = SITE.replace(
                        "{name: web,",
                        "{name: out, address: \"" + address + "\", mode: forward, forward: x}, {name: web,")
                + ROUTES + "forward: {x: {token: required" + policy + "}}\n";
        return warnings(text).stream()
                .filter(warning -> warning.contains("per-client"))
                .toList();
    }

    @Test
    void warnsOfUnlimitedTunnelsBeyondLoopback() {
        assertThat(ofTunnels("0.0.0.0:8081", ""))
                .hasSize(2)
                .anyMatch(warning -> warning.contains("forward.x.tunnel.per-client: 0: one client"))
                .anyMatch(warning -> warning.contains("forward.x.udp.per-client: 0: one client"));
        assertThat(ofTunnels("0.0.0.0:8081", ", tunnel: {per-client: 50}, udp: {allow-ports: []}"))
                .isEmpty();
        assertThat(ofTunnels("127.0.0.1:8081", "")).isEmpty();
    }
}
