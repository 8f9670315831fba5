package dev.postern.core.headers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import io.netty.channel.DefaultEventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedFieldsTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final RequestHead request = new RequestHead().authority("site.example");

    @AfterEach
    void stop() {
        loop.shutdownGracefully();
    }

    private ClientConnection client(String peer, String... trusted) throws UnknownHostException {
        ListenerInfo listener =
                new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.of(List.of(trusted)), false);
        return new ClientConnection(listener, loop, InetAddress.getByName(peer), 1, false);
    }

    private String clientAddress(ClientConnection client) {
        return ForwardedFields.client(client, request).address().getHostAddress();
    }

    @Test
    void ignoresFieldsOfUntrustedPeers() throws UnknownHostException {
        request.add(FieldName.X_FORWARDED_FOR, "1.1.1.1");
        ClientConnection client = client("9.9.9.9", "10.0.0.0/8");
        assertThat(clientAddress(client)).isEqualTo("9.9.9.9");
        ForwardedFields.reverse(client, request, new Via("postern"));
        assertThat(request.joined(FieldName.X_FORWARDED_FOR)).isEqualTo("9.9.9.9");
    }

    @Test
    void findsTheClientBehindTrustedProxies() throws UnknownHostException {
        request.add(FieldName.X_FORWARDED_FOR, "6.6.6.6, 1.1.1.1");
        request.add(FieldName.X_FORWARDED_FOR, "10.2.2.2");
        ClientConnection client = client("10.1.1.1", "10.0.0.0/8");
        assertThat(clientAddress(client)).isEqualTo("1.1.1.1");
        ForwardedFields.reverse(client, request, new Via("postern"));
        assertThat(request.joined(FieldName.X_FORWARDED_FOR)).isEqualTo("6.6.6.6, 1.1.1.1, 10.2.2.2, 10.1.1.1");
    }

    @Test
    void stopsAtAnInvalidAddress() throws UnknownHostException {
        request.add(FieldName.X_FORWARDED_FOR, "1.1.1.1, unknown, 10.2.2.2");
        assertThat(clientAddress(client("10.1.1.1", "10.0.0.0/8"))).isEqualTo("10.2.2.2");
    }

    @Test
    void removesClientFieldsOnForwardListeners() {
        request.add(FieldName.X_FORWARDED_FOR, "1.1.1.1");
        request.add(FieldName.FORWARDED, "for=1.1.1.1");
        ForwardedFields.forward(request, new Via("postern"));
        assertThat(request.has(FieldName.X_FORWARDED_FOR)).isFalse();
        assertThat(request.has(FieldName.FORWARDED)).isFalse();
        assertThat(request.value(FieldName.VIA)).isEqualTo("1.1 postern");
    }

    private String isForwarded(String name) {
        return String.join(" | ", values(name));
    }

    private List<String> values(String name) {
        return IntStream.range(0, request.fields())
                .filter(i -> request.present(i) && request.named(i, FieldName.of(name)))
                .mapToObj(request::valueAt)
                .toList();
    }

    private void add(String name, String value) {
        request.add(FieldName.of(name), value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded",
                "X-Forwarded",
                "X-Forwarded-By",
                "X-Forwarded-Prefix",
                "X-Forwarded-Scheme",
                "X-Forwarded-Server",
                "X-Forwarded-Ssl",
                "X-Forwarded-Anything-Else",
                "X-Real-IP",
                "X-Client-IP",
                "True-Client-IP",
                "X-Original-URL",
                "X-Original-URI",
                "X-Original-Host",
                "X-Rewrite-URL",
                "X-Proxied-Https",
                "Front-End-Https",
                "Proxy",
                "Proxy-Client-IP",
                "WL-Proxy-SSL",
                "Proxy-Ssl-Id",
                "Client-Cert",
                "Client-Cert-Chain",
                "X_Forwarded_Prefix",
                "x_forwarded-ssl",
                "X.Forwarded.For",
                "X_Real_IP",
                "x_original_url",
                "X_Rewrite_URL",
                "FORWARDED",
            })
    void removesFieldsOfUntrustedPeers(String name) throws UnknownHostException {
        add(name, "spoofed");
        ForwardedFields.reverse(client("9.9.9.9", "10.0.0.0/8"), request, new Via("postern"));
        assertThat(isForwarded(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Requested-With",
                "X-Request-ID",
                "X-Forward",
                "X-Real",
                "Proxy-Status",
                "Priority",
                "From",
                "Content-Type",
                "Cookie",
                "X-Client-Version",
                "Client-Hints",
            })
    void forwardsOtherFields(String name) throws UnknownHostException {
        add(name, "theirs");
        ForwardedFields.reverse(client("9.9.9.9", "10.0.0.0/8"), request, new Via("postern"));
        assertThat(isForwarded(name)).isEqualTo("theirs");
    }

    @Test
    void addsThePortOfTheRequest() throws UnknownHostException {
        ForwardedFields.reverse(client("9.9.9.9"), request, new Via("postern"));
        assertThat(isForwarded("X-Forwarded-Port")).isEqualTo("80");
        request.reset();
        request.authority("site.example:8443");
        add("X-Forwarded-Port", "1");
        ForwardedFields.reverse(client("9.9.9.9"), request, new Via("postern"));
        assertThat(isForwarded("X-Forwarded-Port")).isEqualTo("8443");
    }

    @Test
    void keepsFourFieldsOfATrustedProxy() throws UnknownHostException {
        add("X-Forwarded-For", "1.1.1.1");
        add("X-Forwarded-Proto", "https");
        add("X-Forwarded-Host", "outside.example");
        add("X-Forwarded-Port", "8443");
        add("X_Forwarded_For", "6.6.6.6");
        add("X-Forwarded-Prefix", "/a");
        add("X-Forwarded-Ssl", "on");
        add("X-Original-URL", "/admin");
        ForwardedFields.reverse(client("10.1.1.1", "10.0.0.0/8"), request, new Via("postern"));
        assertThat(isForwarded("X-Forwarded-For")).isEqualTo("1.1.1.1, 10.1.1.1");
        assertThat(isForwarded("X-Forwarded-Proto")).isEqualTo("https");
        assertThat(isForwarded("X-Forwarded-Host")).isEqualTo("outside.example");
        assertThat(isForwarded("X-Forwarded-Port")).isEqualTo("8443");
        for (String name : List.of("X_Forwarded_For", "X-Forwarded-Prefix", "X-Forwarded-Ssl", "X-Original-URL")) {
            assertThat(isForwarded(name)).as(name).isEmpty();
        }
    }

    @Test
    void derivesThePortFromHostAndSchemeOfATrustedProxy() throws UnknownHostException {
        add("X-Forwarded-Proto", "https");
        ForwardedFields.reverse(client("10.1.1.1", "10.0.0.0/8"), request, new Via("postern"));
        assertThat(isForwarded("X-Forwarded-Port")).isEqualTo("443");
        request.reset();
        add("X-Forwarded-Host", "[2001:db8::1]:444");
        ForwardedFields.reverse(client("10.1.1.1", "10.0.0.0/8"), request, new Via("postern"));
        assertThat(isForwarded("X-Forwarded-Port")).isEqualTo("444");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "for=1.1.1.1 | 1.1.1.1",
                "For=1.1.1.1;proto=https;by=_me | 1.1.1.1",
                "for=\"1.1.1.1:4711\" | 1.1.1.1",
                "for=\"[2001:db8::1]\" | 2001:db8:0:0:0:0:0:1",
                "for=\"[2001:db8::1]:4711\" | 2001:db8:0:0:0:0:0:1",
                "for=\"[2001:db8::1]:_port\" | 2001:db8:0:0:0:0:0:1",
                "for=\"1.1.1\\.1\" | 1.1.1.1",
                "for=1.1.1.1:4711 | 1.1.1.1",
                "for=2001:db8::1;proto=https | 2001:db8:0:0:0:0:0:1",
                "for=[2001:db8::1]:4711;by=[::1] | 2001:db8:0:0:0:0:0:1",
                "for=\"2001:db8::1\" | 2001:db8:0:0:0:0:0:1",
                "for=6.6.6.6, for=1.1.1.1, for=10.2.2.2 | 1.1.1.1",
                "for=6.6.6.6 , , for=1.1.1.1;secret=\"a,b;c\"; | 1.1.1.1",
                "for=_hidden, for=10.2.2.2 | 10.2.2.2",
                "for=unknown | 10.1.1.1",
                "proto=https | 10.1.1.1",
                "for=10.3.3.3, for=10.2.2.2 | 10.3.3.3",
            })
    void findsTheClientInForwarded(String value, String expected) throws UnknownHostException {
        add("Forwarded", value);
        assertThat(clientAddress(client("10.1.1.1", "10.0.0.0/8"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for",
                "for=",
                "for=1.1.1.1;for=2.2.2.2",
                "for=\"1.1.1.1",
                "for=\"1.1.1.1\"x",
                "for=\"1.1.1.1:x\"",
                "for=\"1.1.1.1:999999\"",
                "for=1.1.1.1:x",
                "for=[2001:db8::1",
                "for=2001:db8::x",
                "for=1.1.1.1 proto=http",
                "for = 1.1.1.1",
                "for=1.1.1.1;host=\"a b\"",
                "for=nobody",
                "proto=a/b",
            })
    void refusesAMalformedForwarded(String value) throws UnknownHostException {
        add("Forwarded", value);
        ClientConnection client = client("10.1.1.1", "10.0.0.0/8");
        assertThatThrownBy(() -> ForwardedFields.client(client, request))
                .isInstanceOfSatisfying(
                        HttpParseException.class,
                        exception -> assertThat(exception.refusal()).isEqualTo(Refusal.REQUEST_MALFORMED));
    }

    @Test
    void doesNotParseForwardedOfUntrustedPeers() throws UnknownHostException {
        add("Forwarded", "for=\"");
        assertThat(clientAddress(client("9.9.9.9", "10.0.0.0/8"))).isEqualTo("9.9.9.9");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "for=2.2.2.2 | X-Forwarded-For | 1.1.1.1",
                "for=unknown | X-Forwarded-For | 1.1.1.1",
                "for=1.1.1.1;proto=http | X-Forwarded-Proto | https",
                "for=1.1.1.1;host=a.example | X-Forwarded-Host | b.example",
            })
    void refusesContradictingFields(String forwarded, String name, String value) throws UnknownHostException {
        add("Forwarded", forwarded);
        add(name, value);
        ClientConnection client = client("10.1.1.1", "10.0.0.0/8");
        assertThatThrownBy(() -> ForwardedFields.client(client, request)).isInstanceOf(HttpParseException.class);
    }

    @Test
    void acceptsFieldsThatAgree() throws UnknownHostException {
        add("Forwarded", "for=\"1.1.1.1:99\";proto=https;host=Site.example");
        add("X-Forwarded-For", "1.1.1.1");
        add("X-Forwarded-Proto", "https");
        add("X-Forwarded-Host", "site.example");
        assertThat(clientAddress(client("10.1.1.1", "10.0.0.0/8"))).isEqualTo("1.1.1.1");
    }

    @Test
    void derivesXForwardedFieldsFromForwarded() throws UnknownHostException {
        add("Forwarded", "for=6.6.6.6;host=evil, for=\"[2001:db8::1]:99\";proto=https;host=\"out.example:444\";by=_x");
        add("Forwarded", "for=10.2.2.2");
        ClientConnection client = client("10.1.1.1", "10.0.0.0/8");
        assertThat(ForwardedFields.client(client, request).scheme()).isEqualTo("https");
        ForwardedFields.reverse(client, request, new Via("postern"));
        assertThat(isForwarded("Forwarded"))
                .isEqualTo("for=\"[2001:db8::1]\";host=\"out.example:444\";proto=https, for=10.2.2.2,"
                        + " for=10.1.1.1;host=site.example;proto=http");
        assertThat(isForwarded("X-Forwarded-For")).isEqualTo("2001:db8::1, 10.2.2.2, 10.1.1.1");
        assertThat(isForwarded("X-Forwarded-Proto")).isEqualTo("https");
        assertThat(isForwarded("X-Forwarded-Host")).isEqualTo("out.example:444");
        assertThat(isForwarded("X-Forwarded-Port")).isEqualTo("444");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Real-IP",
                "X_Real_IP",
                "X-Client-IP",
                "True-Client-IP",
                "TRUE_CLIENT_IP",
                "CF-Connecting-IP",
                "CF-Connecting-IPv6",
                "CF-Pseudo-IPv4",
                "Fastly-Client-IP",
                "X-Cluster-Client-IP",
                "X-Originating-IP",
                "X-Remote-IP",
                "X-Remote-Addr",
                "Client-IP",
                "Client_IP",
                "X-Azure-ClientIP",
                "X-Azure-SocketIP",
                "X-ProxyUser-Ip",
                "X-Envoy-External-Address",
                "X-Appengine-User-IP",
                "Fly-Client-IP",
                "Ali-CDN-Real-IP",
                "Cdn-Src-Ip",
                "WL-Proxy-Client-IP",
                "Proxy-Client-IP",
                "X-Original-Forwarded-For",
                "Forwarded",
                "X-Forwarded-For",
                "X-Forwarded-Client-Cert",
                "x_forwarded_for",
            })
    void removesTheClientAddressOnForwardListeners(String name) {
        add(name, "192.0.2.1");
        ForwardedFields.forward(request, new Via("postern"));
        assertThat(isForwarded(name)).isEmpty();
    }

    @Test
    void forwardsConfiguredFieldsOfTrustedProxies() throws UnknownHostException {
        ListenerInfo listener = new ListenerInfo(
                "web",
                ListenerInfo.Mode.REVERSE,
                "",
                "",
                CidrSet.of(List.of("10.0.0.0/8")),
                List.of(FieldName.of("X-Forwarded-Prefix")),
                ListenerInfo.Forwarded.AUTO,
                false);
        for (String peer : List.of("10.1.1.1", "9.9.9.9")) {
            request.reset();
            add("X-Forwarded-Prefix", "/a");
            add("X_Forwarded_Prefix", "/b");
            add("X-Forwarded-Ssl", "on");
            ClientConnection client = new ClientConnection(listener, loop, InetAddress.getByName(peer), 1, false);
            ForwardedFields.reverse(client, request, new Via("postern"));
            assertThat(isForwarded("X-Forwarded-Prefix")).isEqualTo(peer.startsWith("10") ? "/a" : "");
            assertThat(isForwarded("X_Forwarded_Prefix")).isEmpty();
            assertThat(isForwarded("X-Forwarded-Ssl")).isEmpty();
        }
    }
}
