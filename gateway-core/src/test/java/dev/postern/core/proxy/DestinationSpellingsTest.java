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
import dev.postern.core.testing.DestinationSpellings;
import dev.postern.core.testing.MemoryNames;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Tests spellings of destinations of CONNECT and CONNECT-UDP from the request target to the addresses that would be connected; none is. The
 * resolver of the test reads more than the gateway's: what a lenient one makes of a spelling must be refused too.
 */
class DestinationSpellingsTest {

    private static final EventLoop LOOP = new EmbeddedChannel().eventLoop();

    private static final ForwardPolicy POLICY =
            ForwardFixture.policy(List.of("443", "8000-8999"), List.of("443", "1024-65535"));

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
        for (String known : DestinationSpellings.NAMES.getOrDefault(host.toLowerCase(Locale.ROOT), List.of(name))) {
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
                        new MemoryNames(DestinationSpellingsTest::resolve),
                        ForwardFixture.destinations(
                                address -> address.getAddress().getHostAddress().equals("192.31.196.9")),
                        new OutboundSockets(100))
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
    @FieldSource("dev.postern.core.testing.DestinationSpellings#REFUSED")
    void connectReachesNone(String target) {
        assertThat(connect(target)).isBetween(400, 502);
        assertThat(connected).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("dev.postern.core.testing.DestinationSpellings#REFUSED_UDP")
    void connectUdpReachesNone(String target) {
        assertThat(connectUdp(target)).isBetween(400, 502);
        assertThat(connected).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("dev.postern.core.testing.DestinationSpellings#ALLOWED")
    void connectReachesPublicDestinations(String target) {
        assertThat(connect(target)).isZero();
        assertThat(connected).isNotEmpty();
    }

    @ParameterizedTest
    @FieldSource("dev.postern.core.testing.DestinationSpellings#ALLOWED_UDP")
    void connectUdpReachesPublicDestinations(String target) {
        assertThat(connectUdp(target)).isZero();
        assertThat(connected).isNotEmpty();
    }
}
