package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.RequestTargetParser;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.RouteMatch;
import dev.postern.core.route.UdpTarget;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests spellings of destinations of CONNECT and CONNECT-UDP from the request target to the addresses that would be connected; none is. The
 * resolver of the test reads more than the gateway's: what a lenient one makes of a spelling must be refused too.
 */
class DestinationSpellingsTest {

    private static final EventLoop LOOP = new EmbeddedChannel().eventLoop();

    private static final ForwardPolicy POLICY =
            ForwardFixture.policy(List.of("443", "8000-8999"), List.of("443", "1024-65535"));

    private static final Map<String, List<String>> NAMES = Map.of(
            "localhost", List.of("127.0.0.1"),
            "public.example", List.of("192.31.196.1"),
            "dual.example", List.of("192.31.196.1", "2001:200::1"),
            "private.example", List.of("10.0.0.1"),
            "mixed.example", List.of("192.31.196.1", "10.0.0.1"),
            "mixed6.example", List.of("2001:200::1", "::1"),
            "gateway.example", List.of("192.31.196.9"),
            "metadata.example", List.of("169.254.169.254"));

    private final List<InetSocketAddress> connected = new ArrayList<>();
    private final RecordedResponse response = new RecordedResponse();

    /** Resolves names, and numbers as inet_aton does: one to four parts, decimal, octal or hexadecimal. */
    private static void resolve(String name, Promise<List<InetAddress>> promise) {
        List<InetAddress> all = lookUp(name);
        if (all.isEmpty()) {
            promise.setFailure(new UnknownHostException(name));
        } else {
            promise.setSuccess(all);
        }
    }

    private static List<InetAddress> lookUp(String name) {
        List<InetAddress> all = new ArrayList<>();
        String host = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        for (String known : NAMES.getOrDefault(host.toLowerCase(Locale.ROOT), List.of(name))) {
            byte @Nullable [] literal = NetUtil.createByteArrayFromIpAddressString(known);
            byte @Nullable [] bytes = literal == null ? number(known) : literal;
            if (bytes != null) {
                all.add(address(bytes));
            }
        }
        return all;
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte @Nullable [] number(String text) {
        String[] parts = text.split("\\.", -1);
        long value = 0;
        for (int i = 0; i < parts.length; i++) {
            long part;
            try {
                part = Long.decode(parts[i]);
            } catch (NumberFormatException e) {
                return null;
            }
            value = i == parts.length - 1 ? value << 8 * (5 - parts.length) | part : value << 8 | part;
        }
        return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
    }

    /** Returns the status of the refusal, or 0 when addresses would be connected. */
    private int ask(RequestHead head) {
        Exchange exchange = ForwardFixture.exchange(LOOP, head, POLICY, response);
        RouteMatch.Result match = RouteMatch.of(exchange);
        if (match.refusal() != null) {
            return match.refusal().status();
        }
        new DestinationLookup(
                        new ForwardFixture.Resolvers(DestinationSpellingsTest::resolve),
                        address -> address.getAddress().getHostAddress().equals("192.31.196.9"))
                .find(exchange, POLICY, Destination.of(exchange), connected::addAll);
        return response.status();
    }

    private int connect(String target) {
        RequestHead head = new RequestHead().method(Method.CONNECT);
        byte[] bytes = target.getBytes(ISO_8859_1);
        try {
            RequestTargetParser.read(head, bytes, 0, bytes.length);
        } catch (HttpParseException fault) {
            return fault.refusal().status();
        }
        return ask(head);
    }

    private int connectUdp(String target) {
        RequestHead head = new RequestHead().upgrade(UdpTarget.PROTOCOL);
        byte[] bytes = (UdpTarget.PREFIX + target).getBytes(ISO_8859_1);
        try {
            RequestTargetParser.read(head, bytes, 0, bytes.length);
        } catch (HttpParseException fault) {
            return fault.refusal().status();
        }
        return ask(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:443",
                "127.1:443",
                "127.0.1:443",
                "127.255.255.254:443",
                "0:443",
                "0.0.0.0:443",
                "2130706433:443",
                "017700000001:443",
                "0x7f000001:443",
                "0x7f.1:443",
                "0177.0.0.01:443",
                "0x7f.0x0.0x0.0x1:443",
                "0x7F000001:443",
                "localhost:443",
                "LOCALHOST:443",
                "localhost.:443",
                "10.0.0.1:443",
                "10.1:443",
                "167772161:443",
                "0xa000001:443",
                "012.0.0.1:443",
                "172.16.0.1:443",
                "192.168.0.1:443",
                "192.168.1:443",
                "3232235521:443",
                "169.254.169.254:443",
                "2852039166:443",
                "0xa9fea9fe:443",
                "100.64.0.1:443",
                "100.100.100.200:443",
                "168.63.129.16:443",
                "192.0.0.192:443",
                "198.18.0.1:443",
                "224.0.0.1:443",
                "239.255.255.250:443",
                "240.0.0.1:443",
                "255.255.255.255:443",
                "[::1]:443",
                "[::]:443",
                "[0:0:0:0:0:0:0:1]:443",
                "[::ffff:127.0.0.1]:443",
                "[::ffff:7f00:1]:443",
                "[::ffff:10.0.0.1]:443",
                "[::127.0.0.1]:443",
                "[::ffff:0:127.0.0.1]:443",
                "[64:ff9b::127.0.0.1]:443",
                "[64:ff9b::a00:1]:443",
                "[64:ff9b:1::1]:443",
                "[2002:7f00:1::]:443",
                "[2001::1]:443",
                "[fe80::1]:443",
                "[fe80::1%eth0]:443",
                "[fe80::1%25eth0]:443",
                "[fc00::1]:443",
                "[fd00:ec2::254]:443",
                "[fec0::1]:443",
                "[ff02::1]:443",
                "[2001:db8::1]:443",
                "[100::1]:443",
                "[v1.abc]:443",
                "[127.0.0.1]:443",
                "[::1:443",
                "private.example:443",
                "mixed.example:443",
                "mixed6.example:443",
                "metadata.example:443",
                "gateway.example:443",
                "GATEWAY.example.:443",
                "unknown.example:443",
                "public.example:22",
                "public.example:0",
                "public.example:65536",
                "public.example:-1",
                "public.example:",
                "public.example",
                "public.example:443:443",
                ":443",
                "public.example:443/",
                "user@public.example:443",
                "public.example..:443",
                ".public.example:443",
                "public..example:443",
                "public.example\\:443",
                "public.example:0x1bb",
                "public.example:+443",
                "public.example: 443",
                "http://public.example:443",
            })
    void connectReachesNone(String target) {
        assertThat(connect(target)).isBetween(400, 502);
        assertThat(connected).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1/443/",
                "127.1/443/",
                "127.0.1/443/",
                "127.255.255.254/443/",
                "0/443/",
                "0.0.0.0/443/",
                "2130706433/443/",
                "017700000001/443/",
                "0x7f000001/443/",
                "0x7f.1/443/",
                "0177.0.0.01/443/",
                "%31%32%37.0.0.1/443/",
                "127%2E0%2E0%2E1/443/",
                "localhost/443/",
                "LOCALHOST/443/",
                "localhost./443/",
                "%6c%6f%63%61%6c%68%6f%73%74/443/",
                "10.0.0.1/443/",
                "10.1/443/",
                "167772161/443/",
                "012.0.0.1/443/",
                "172.16.0.1/443/",
                "192.168.0.1/443/",
                "3232235521/443/",
                "169.254.169.254/443/",
                "0xa9fea9fe/443/",
                "100.64.0.1/443/",
                "168.63.129.16/443/",
                "198.18.0.1/443/",
                "224.0.0.1/443/",
                "239.255.255.250/1900/",
                "255.255.255.255/443/",
                "%3A%3A1/443/",
                "::1/443/",
                "%3a%3A/443/",
                "0%3A0%3A0%3A0%3A0%3A0%3A0%3A1/443/",
                "%3A%3Affff%3A127.0.0.1/443/",
                "%3A%3Affff%3A7f00%3A1/443/",
                "%3A%3A127.0.0.1/443/",
                "64%3Aff9b%3A%3A127.0.0.1/443/",
                "2002%3A7f00%3A1%3A%3A/443/",
                "2001%3A%3A1/443/",
                "fe80%3A%3A1/443/",
                "fe80%3A%3A1%25eth0/443/",
                "fe80%3A%3A1%2525eth0/443/",
                "fc00%3A%3A1/443/",
                "fd00%3Aec2%3A%3A254/443/",
                "ff02%3A%3A1/443/",
                "2001%3Adb8%3A%3A1/443/",
                "%5B%3A%3A1%5D/443/",
                "[::1]/443/",
                "private.example/443/",
                "mixed.example/443/",
                "mixed6.example/443/",
                "metadata.example/443/",
                "gateway.example/443/",
                "unknown.example/443/",
                "public.example/22/",
                "public.example/53/",
                "public.example/1900/",
                "public.example/11211/",
                "public.example/5353/",
                "public.example/0/",
                "public.example/65536/",
                "public.example/-1/",
                "public.example//",
                "public.example/443",
                "//443/",
                "public.example:443/443/",
                "public.example%3A443/443/",
                "public.example/443/..%2F..%2F",
                "public.example%2F443%2F/443/",
                "127.0.0.1%00.public.example/443/",
                "public.example%0d%0a/443/",
                "user@public.example/443/",
                "public..example/443/",
                "..%2f127.0.0.1/443/",
                "../127.0.0.1/443/",
                "public.example;127.0.0.1/443/",
                "public.example/443;53/",
                "public.example/%2B443/",
                "public.example/443/?port=53",
                "public.example%252e/443/",
                "%2A/443/",
            })
    void connectUdpReachesNone(String target) {
        assertThat(connectUdp(target)).isBetween(400, 502);
        assertThat(connected).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.31.196.1:443", "public.example:443", "PUBLIC.example:443", "public.example.:443",
                "dual.example:8000", "[2001:200::1]:443", "[2001:0200:0:0::1]:443", "[::ffff:192.31.196.1]:443",
                "223.255.255.255:443", "public.example:0443",
            })
    void connectReachesPublicDestinations(String target) {
        assertThat(connect(target)).isZero();
        assertThat(connected).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.31.196.1/443/", "public.example/443/", "PUBLIC.example/443/", "public.example./443/",
                "dual.example/8000/", "2001%3A200%3A%3A1/443/", "2001:200::1/443/", "%70ublic.example/443/",
                "%3A%3Affff%3A192.31.196.1/443/", "public.example/%34%34%33/",
            })
    void connectUdpReachesPublicDestinations(String target) {
        assertThat(connectUdp(target)).isZero();
        assertThat(connected).isNotEmpty();
    }
}
