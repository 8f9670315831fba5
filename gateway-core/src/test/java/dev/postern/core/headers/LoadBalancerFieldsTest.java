package dev.postern.core.headers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import io.netty.channel.DefaultEventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the forms in which load balancers and content delivery networks report their clients, and what clients put before them. The peer is
 * a proxy on {@code 10.0.0.1}, connected without TLS; {@code 10.0.0.0/8}, a network of edges and one public address of a balancer are
 * trusted. A tilde separates field lines.
 */
class LoadBalancerFieldsTest {

    private static final List<String> TRUSTED = List.of("10.0.0.0/8", "64.252.0.0/16", "198.51.100.9/32", "fd00::/8");

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final RequestHead request = new RequestHead().authority("site.example");

    @AfterEach
    void stop() {
        loop.shutdownGracefully();
    }

    private ClientConnection peer(String address) throws UnknownHostException {
        return peer(address, ListenerInfo.Forwarded.AUTO);
    }

    private ClientConnection peer(String address, ListenerInfo.Forwarded forwarded) throws UnknownHostException {
        ListenerInfo listener = new ListenerInfo(
                "web",
                ListenerInfo.Mode.REVERSE,
                "",
                "",
                CidrSet.of(TRUSTED),
                List.of(FieldName.of("x-forwarded-prefix")),
                forwarded,
                false);
        return new ClientConnection(listener, loop, InetAddress.getByName(address), 1, false);
    }

    private void receive(String lines) {
        for (String line : lines.split("~", -1)) {
            int colon = line.indexOf(':');
            request.add(
                    FieldName.of(line.substring(0, colon).toLowerCase(Locale.ROOT)),
                    line.substring(colon + 1).trim());
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "AWS ALB | X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https~X-Forwarded-Port: 443 | 203.0.113.7 | https",
                "AWS ALB with client ports | X-Forwarded-For: 203.0.113.7:51008~X-Forwarded-Proto: https"
                        + " | 203.0.113.7 | https",
                "AWS ALB with client ports, IPv6 | X-Forwarded-For: [2001:db8::1]:51008~X-Forwarded-Proto: https"
                        + " | 2001:db8:0:0:0:0:0:1 | https",
                "AWS ELB, IPv6 | X-Forwarded-For: 2001:DB8::21f:5bff:febf:ce22~X-Forwarded-Proto: http"
                        + " | 2001:db8:0:0:21f:5bff:febf:ce22 | http",
                "CloudFront before ALB | X-Forwarded-For: 203.0.113.7, 64.252.138.139~X-Forwarded-Proto: https"
                        + " | 203.0.113.7 | https",
                "AWS API Gateway, IPv6 | Forwarded: by=3.235.38.58;for=2001:db8:3a42:b7b0:9971:120a:391f:f585,"
                        + "for=64.252.138.139;host=api.example;proto=https"
                        + " | 2001:db8:3a42:b7b0:9971:120a:391f:f585 | https",
                "Azure Application Gateway | X-Forwarded-For: 203.0.113.7:51008~X-Forwarded-Proto: https"
                        + "~X-Forwarded-Port: 443~X-Original-Host: site.example | 203.0.113.7 | https",
                "Azure, after a first proxy | X-Forwarded-For: 203.0.113.7, 10.0.0.4:51008~X-Forwarded-Proto: https"
                        + " | 203.0.113.7 | https",
                "Azure Front Door | X-Forwarded-For: 2001:db8::7~X-Forwarded-Proto: https~X-Azure-ClientIP: 2001:db8::7"
                        + " | 2001:db8:0:0:0:0:0:7 | https",
                "IIS ARR | X-Forwarded-For: 203.0.113.7:60123~X-Forwarded-Proto: HTTPS | 203.0.113.7 | https",
                "IIS ARR, IPv6 | X-Forwarded-For: [2001:db8::1]:60123~X-Forwarded-Proto: HTTPS"
                        + " | 2001:db8:0:0:0:0:0:1 | https",
                "Google Cloud, which adds its own address | X-Forwarded-For: 203.0.113.7,198.51.100.9"
                        + "~X-Forwarded-Proto: https~Via: 1.1 google | 203.0.113.7 | https",
                "Cloudflare | X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https~CF-Connecting-IP: 203.0.113.7"
                        + " | 203.0.113.7 | https",
                "Fastly with shielding | X-Forwarded-For: 203.0.113.7, 10.9.8.7~X-Forwarded-Proto: https"
                        + " | 203.0.113.7 | https",
                "Akamai | X-Forwarded-For: 203.0.113.7, 10.9.8.7~X-Forwarded-Proto: https | 203.0.113.7 | https",
                "F5 with a route domain | X-Forwarded-For: 203.0.113.7%1~X-Forwarded-Proto: https | 203.0.113.7 | https",
                "HAProxy, a line of its own | X-Forwarded-For: 6.6.6.6~X-Forwarded-For: 203.0.113.7"
                        + "~X-Forwarded-Proto: https | 203.0.113.7 | https",
                "HAProxy option forwarded | Forwarded: proto=https;for=\"[2001:db8::1]:4711\";host=site.example"
                        + " | 2001:db8:0:0:0:0:0:1 | https",
                "Traefik, WebSocket | X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: wss~X-Forwarded-Port: 443"
                        + " | 203.0.113.7 | https",
                "Traefik, WebSocket without TLS | X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: ws"
                        + " | 203.0.113.7 | http",
                "Envoy | X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https~X-Envoy-External-Address: 203.0.113.7"
                        + " | 203.0.113.7 | https",
                "nginx, two that overwrite the scheme | X-Forwarded-For: 203.0.113.7, 10.0.0.2~X-Forwarded-Proto: https"
                        + " | 203.0.113.7 | https",
                "two that add the scheme | X-Forwarded-For: 203.0.113.7, 10.0.0.2~X-Forwarded-Proto: https, http"
                        + " | 203.0.113.7 | https",
                "lighttpd, three | X-Forwarded-For: 203.0.113.7, 10.0.0.2, 10.0.0.3"
                        + "~X-Forwarded-Proto: https~X-Forwarded-Proto: http~X-Forwarded-Proto: http"
                        + " | 203.0.113.7 | https",
                "the outermost of three that add | X-Forwarded-For: 203.0.113.7, 10.0.0.2, 10.0.0.3"
                        + "~X-Forwarded-Proto: https, http | 203.0.113.7 | https",
                "link-local with a zone | X-Forwarded-For: fe80::1%eth0 | fe80:0:0:0:0:0:0:1 | http",
                "mapped IPv4 | X-Forwarded-For: ::ffff:203.0.113.7~X-Forwarded-Proto: https | 203.0.113.7 | https",
                "mapped IPv4 with a port | X-Forwarded-For: [::ffff:203.0.113.7]:99 | 203.0.113.7 | http",
                "quoted | X-Forwarded-For: \"[2001:db8::1]:51008\"~X-Forwarded-Proto: https"
                        + " | 2001:db8:0:0:0:0:0:1 | https",
                "no blanks | X-Forwarded-For:203.0.113.7:1,10.0.0.2:2~X-Forwarded-Proto:https,http"
                        + " | 203.0.113.7 | https",
                "RFC 7239 with a port | Forwarded: for=\"203.0.113.7:1234\";proto=HTTPS | 203.0.113.7 | https",
                "RFC 7239, unquoted | Forwarded: for=203.0.113.7:1234;proto=https | 203.0.113.7 | https",
                "RFC 7239, WebSocket | Forwarded: for=203.0.113.7;proto=wss | 203.0.113.7 | https",
                "RFC 7239, unknown | Forwarded: for=unknown;proto=https | 10.0.0.1 | https",
                "RFC 7239, hidden | Forwarded: for=_gazonk;proto=https, for=10.0.0.2;proto=http | 10.0.0.2 | https",
                "the scheme alone | X-Forwarded-Proto: https | 10.0.0.1 | https",
            })
    void understands(String balancer, String lines, String client, String scheme) throws UnknownHostException {
        receive(lines);
        ClientConnection peer = peer("10.0.0.1");

        assertThat(ForwardedFields.client(peer, request).address().getHostAddress())
                .isEqualTo(client);
        assertThat(ForwardedFields.client(peer, request).scheme()).isEqualTo(scheme);

        ForwardedFields.reverse(peer, request, new Via("postern"));
        assertThat(request.joined(FieldName.X_FORWARDED_PROTO))
                .as("the upstream reads the same")
                .isEqualTo(ForwardedFields.client(peer, request).scheme())
                .isEqualTo(scheme);
        assertThat(ForwardedFields.client(peer, request).address().getHostAddress())
                .isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                // an appending proxy behind a client that forges
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7~X-Forwarded-Proto: https, http | 203.0.113.7 | http",
                "X-Forwarded-For: 6.6.6.6:1, 203.0.113.7:2~X-Forwarded-Proto: https,http | 203.0.113.7 | http",
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https, https, https, http | 203.0.113.7 | http",
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7, 10.0.0.2~X-Forwarded-Proto: https, http, https"
                        + " | 203.0.113.7 | http",
                "X-Forwarded-For: 6.6.6.6, 10.0.0.9, 203.0.113.7, 10.0.0.2~X-Forwarded-Proto: https, https, http, https"
                        + " | 203.0.113.7 | http",
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https~X-Forwarded-Proto: http | 203.0.113.7 | http",
                "X-Forwarded-Proto: https, http | 10.0.0.1 | http",
                // the element that counts says nothing; those beside it are not asked
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https, | 203.0.113.7 | http",
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https, ftp | 203.0.113.7 | http",
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https://x | 203.0.113.7 | http",
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Proto: https x | 203.0.113.7 | http",
                "X-Forwarded-For: 6.6.6.6, | 10.0.0.1 | http",
                "X-Forwarded-For: | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, unknown~X-Forwarded-Proto: https, http | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, unknown, 10.0.0.2~X-Forwarded-Proto: https, http, https | 10.0.0.2 | http",
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7:65536x | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7: | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7:123456 | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, [2001:db8::1 | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, 2001:db8::1] | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, [2001:db8::1]443 | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, [203.0.113.7] | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, [[2001:db8::1]] | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, host.example:80 | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7 5 | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, \"203.0.113.7 | 10.0.0.1 | http",
                "X-Forwarded-For: 6.6.6.6, 203.0.113.7% | 10.0.0.1 | http",
                "Forwarded: for=6.6.6.6;proto=https, for=203.0.113.7;proto=http | 203.0.113.7 | http",
                "Forwarded: for=6.6.6.6;proto=https, for=203.0.113.7 | 203.0.113.7 | http",
                "Forwarded: for=6.6.6.6;proto=https, proto=http | 10.0.0.1 | http",
            })
    void believesNothingThatAClientPutBefore(String lines, String client, String scheme) throws UnknownHostException {
        receive(lines);
        ClientConnection peer = peer("10.0.0.1");

        assertThat(ForwardedFields.client(peer, request).address().getHostAddress())
                .isEqualTo(client);
        assertThat(ForwardedFields.client(peer, request).scheme()).isEqualTo(scheme);

        ForwardedFields.reverse(peer, request, new Via("postern"));
        assertThat(request.joined(FieldName.X_FORWARDED_PROTO))
                .as("the upstream reads the same")
                .isEqualTo(scheme);
    }

    @Test
    void believesNothingOfOtherPeers() throws UnknownHostException {
        receive("X-Forwarded-For: 6.6.6.6:51008~X-Forwarded-Proto: https~Forwarded: for=6.6.6.6;proto=https");
        ClientConnection peer = peer("203.0.113.7");

        assertThat(ForwardedFields.client(peer, request).address().getHostAddress())
                .isEqualTo("203.0.113.7");
        assertThat(ForwardedFields.client(peer, request).scheme()).isEqualTo("http");
    }

    @Test
    void passesOnlyTheHostAndPortThatCount() throws UnknownHostException {
        receive("X-Forwarded-For: 6.6.6.6, 203.0.113.7, 10.0.0.2~X-Forwarded-Proto: http, https, http"
                + "~X-Forwarded-Host: evil.example, Site.example:8443, inner.example~X-Forwarded-Port: 1, 8443, 80");
        ForwardedFields.reverse(peer("10.0.0.1"), request, new Via("postern"));

        assertThat(request.joined(FieldName.X_FORWARDED_HOST)).isEqualTo("Site.example:8443");
        assertThat(request.joined(FieldName.X_FORWARDED_PORT)).isEqualTo("8443");
        assertThat(request.joined(FieldName.X_FORWARDED_PROTO)).isEqualTo("https");
        assertThat(request.joined(FieldName.X_FORWARDED_FOR)).isEqualTo("6.6.6.6, 203.0.113.7, 10.0.0.2, 10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Forwarded-Host: evil.example, | site.example | 80",
                "X-Forwarded-Host: evil.example, out.example:444 | out.example:444 | 444",
                "X-Forwarded-Port: 1, | site.example | 80",
                "X-Forwarded-Host: out.example~X-Forwarded-Proto: WSS | out.example | 443",
            })
    void derivesWhatTheCountingElementOmits(String lines, String host, String port) throws UnknownHostException {
        receive("X-Forwarded-For: 203.0.113.7~" + lines);
        ForwardedFields.reverse(peer("10.0.0.1"), request, new Via("postern"));

        assertThat(request.joined(FieldName.X_FORWARDED_HOST)).isEqualTo(host);
        assertThat(request.joined(FieldName.X_FORWARDED_PORT)).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: 203.0.113.7, 10.0.0.2~X-Forwarded-Proto: http, https"
                        + "~Forwarded: for=203.0.113.7;proto=https, for=10.0.0.2",
                "X-Forwarded-For: 203.0.113.7~X-Forwarded-Host: a.example, b.example"
                        + "~Forwarded: for=203.0.113.7;host=a.example",
            })
    void refusesTwoAccountsOfTheCountingElement(String lines) throws UnknownHostException {
        receive(lines);
        ClientConnection peer = peer("10.0.0.1");

        assertThatThrownBy(() -> ForwardedFields.client(peer, request))
                .hasMessageContaining("Forwarded and X-Forwarded differ");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                // An API gateway writes one family, the load balancer before the gateway the other.
                "FORWARDED | Forwarded: for=203.0.113.7;proto=https;host=api.example~X-Forwarded-For: 10.9.9.9"
                        + "~X-Forwarded-Proto: http~X-Forwarded-Host: inner.example~X-Forwarded-Port: 8080"
                        + " | 203.0.113.7 | https | api.example | 443",
                "X_FORWARDED | Forwarded: for=10.9.9.9;proto=http;host=inner.example~X-Forwarded-For: 203.0.113.7"
                        + "~X-Forwarded-Proto: https~X-Forwarded-Host: api.example:8443"
                        + " | 203.0.113.7 | https | api.example:8443 | 8443",
                // What the client itself wrote in the other family says nothing.
                "FORWARDED | Forwarded: for=203.0.113.7~X-Forwarded-For: 6.6.6.6~X-Forwarded-Proto: https"
                        + "~X-Forwarded-Host: evil.example | 203.0.113.7 | http | site.example | 80",
                "X_FORWARDED | X-Forwarded-For: 203.0.113.7~Forwarded: for=6.6.6.6;proto=https;host=evil.example"
                        + " | 203.0.113.7 | http | site.example | 80",
                "FORWARDED | X-Forwarded-For: 6.6.6.6~X-Forwarded-Proto: https | 10.0.0.1 | http | site.example | 80",
                "X_FORWARDED | Forwarded: for=6.6.6.6;proto=https | 10.0.0.1 | http | site.example | 80",
                // A malformed field of the other family is no reason for a refusal.
                "X_FORWARDED | Forwarded: for=;;=~X-Forwarded-For: 203.0.113.7 | 203.0.113.7 | http | site.example | 80",
                "X_FORWARDED | Forwarded: for=host.example~Forwarded: \"~X-Forwarded-For: 203.0.113.7"
                        + " | 203.0.113.7 | http | site.example | 80",
            })
    void readsAndPassesOneFamilyAlone(
            ListenerInfo.Forwarded forwarded, String lines, String client, String scheme, String host, String port)
            throws UnknownHostException {
        receive(lines);
        receive("X-Forwarded-Prefix: /p");
        ClientConnection peer = peer("10.0.0.1", forwarded);
        ForwardedFields.select(peer, request);
        ForwardedFields.Client read = ForwardedFields.client(peer, request);
        assertThat(read.address().getHostAddress()).isEqualTo(client);
        assertThat(read.scheme()).isEqualTo(scheme);

        ForwardedFields.reverse(peer, request, new Via("postern"));
        String chain = client.equals("10.0.0.1") ? client : client + ", 10.0.0.1";
        assertThat(request.joined(FieldName.X_FORWARDED_FOR)).isEqualTo(chain);
        assertThat(request.joined(FieldName.X_FORWARDED_PROTO)).isEqualTo(scheme);
        assertThat(request.joined(FieldName.X_FORWARDED_HOST)).isEqualTo(host);
        assertThat(request.joined(FieldName.X_FORWARDED_PORT)).isEqualTo(port);
        assertThat(request.joined(FieldName.of("x-forwarded-prefix"))).isEqualTo("/p");
        boolean passed = forwarded == ListenerInfo.Forwarded.FORWARDED && lines.contains("Forwarded: for=");
        assertThat(request.has(FieldName.FORWARDED)).isEqualTo(passed && !lines.startsWith("X-"));
        if (request.has(FieldName.FORWARDED)) {
            assertThat(request.joined(FieldName.FORWARDED))
                    .startsWith("for=203.0.113.7")
                    .contains(", for=10.0.0.1");
        }
    }

    @Test
    void comparesTheCountingElementsWithForwarded() throws UnknownHostException {
        receive("X-Forwarded-For: 6.6.6.6, 203.0.113.7:51008, 10.0.0.2~X-Forwarded-Proto: http, HTTPS, http"
                + "~X-Forwarded-Host: evil.example, SITE.example, inner.example"
                + "~Forwarded: for=\"203.0.113.7:51008\";proto=https;host=site.example, for=10.0.0.2");

        assertThat(ForwardedFields.client(peer("10.0.0.1"), request).address().getHostAddress())
                .isEqualTo("203.0.113.7");
    }
}
