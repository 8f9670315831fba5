package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.transport.CidrSet;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the policy only: no name is resolved, and no connection is opened. */
class DestinationPolicyTest {

    private static final CidrSet CLOSED = CidrSet.NONE;

    static Stream<SpecialAddresses.Block> blocks() {
        return Stream.of(SpecialAddresses.IPV4, SpecialAddresses.IPV6, SpecialAddresses.OTHERS)
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void refusesFirstAndLastAddressOfEachBlock(SpecialAddresses.Block block) throws UnknownHostException {
        byte[] first = base(block.range());
        byte[] last = first.clone();
        for (int bit = prefix(block.range()); bit < last.length * 8; bit++) {
            last[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        assertThat(allowed(CLOSED, InetAddress.getByAddress(first))).isFalse();
        assertThat(allowed(CLOSED, InetAddress.getByAddress(last))).isFalse();
        assertThat(allowed(CidrSet.of(List.of(block.range())), InetAddress.getByAddress(last)))
                .as("where allow-private contains the block")
                .isTrue();
    }

    /** Not read from the list, so that an entry missing there is noticed here. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "168.63.129.16",
                "169.254.169.254",
                "192.88.99.1",
                "192.0.0.192",
                "100.100.100.200",
                "255.255.255.255",
                "239.255.255.250",
                "240.0.0.1",
                "fec0::1",
                "fec0:0:0:ffff::1",
                "feff:ffff::1",
                "3fff::1",
                "3fff:fff:ffff::1",
                "5f00::1",
                "5f00:ffff::1",
                "fd00:ec2::254",
                "fe80::1",
                "ff02::1",
                "100::1",
                "100:0:0:1::1",
                "2001:db8::1"
            })
    void refusesAddressesThatAreNotPublic(String address) {
        assertThat(allowed(CLOSED, address(address))).isFalse();
    }

    /** NAT64, 6to4, Teredo, IPv4-mapped, -compatible and -translated, each around a public or a private address. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "64:ff9b::a00:1", "64:ff9b::101:101", "64:ff9b:1::a00:1", "2002:a00:1::", "2002:101:101::1",
                "2001:0:101:101::", "::ffff:10.0.0.1", "::ffff:168.63.129.16", "::10.0.0.1", "::ffff:0:a00:1"
            })
    void refusesAddressesThatEmbedAnother(String address) {
        assertThat(allowed(CLOSED, address(address))).isFalse();
    }

    /** Anycast addresses lead to the nearest instance, which belongs to the gateway's own network. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.0.9",
                "192.0.0.10",
                "2001:1::1",
                "2001:1::2",
                "2001:1::3",
                "2001:3::1",
                "2001:4:112::1",
                "2001:20::1"
            })
    void refusesGloballyReachableAssignmentsInsideReservedBlocks(String address) {
        assertThat(allowed(CLOSED, address(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "168.63.129.15",
                        "168.63.129.17",
                "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.88.98.255", "192.88.100.0", "198.17.255.255",
                        "198.20.0.0",
                "192.31.196.1", "192.52.193.1", "192.175.48.1", "223.255.255.255", "::ffff:1.1.1.1", "2001:200::1",
                        "2001:4860::1",
                "2003::1", "2620:4f:8000::1", "3ffe::1", "3fff:1000::1", "2606:4700::1", "5eff::1", "5f01::1"
            })
    void allowsNeighboringAddresses(String address) {
        assertThat(allowed(CLOSED, address(address))).isTrue();
    }

    @Test
    void allowingAnAddressDoesNotAllowAddressesThatEmbedIt() {
        assertThat(allowed(CidrSet.of(List.of("10.0.0.0/8")), address("10.0.0.1")))
                .isTrue();
        assertThat(allowed(CidrSet.of(List.of("10.0.0.0/8")), address("::ffff:10.0.0.1")))
                .isTrue();
        assertThat(allowed(CidrSet.of(List.of("10.0.0.0/8")), address("64:ff9b::a00:1")))
                .isFalse();
    }

    private static boolean allowed(CidrSet allowPrivate, InetAddress address) {
        return DestinationPolicy.addressAllowed(allowPrivate, address);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text));
        } catch (UnknownHostException e) {
            throw new AssertionError(text, e);
        }
    }

    private static byte[] base(String range) {
        return NetUtil.createByteArrayFromIpAddressString(range.substring(0, range.indexOf('/')));
    }

    private static int prefix(String range) {
        return Integer.parseInt(range.substring(range.indexOf('/') + 1));
    }
}
