package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.CidrSet;
import dev.postern.core.net.Nat64Prefixes;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the policy only: no name is resolved, and no connection is opened. */
class DestinationPolicyTest {

    private static final CidrSet CLOSED = CidrSet.NONE;

    /** The gateway listens on port 443 of 9.9.9.9. */
    private static final DestinationPolicy POLICY = new DestinationPolicy(
            Nat64Prefixes.of(List.of("64:ff9b::/96", "64:ff9b:1::/48", "2001:67c:2b0:db32::/96")),
            own -> own.getPort() == 443 && own.getAddress().getHostAddress().equals("9.9.9.9"));

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
                .as("where allow-private contains the block, which embeds no forbidden address")
                .isEqualTo(!block.range().startsWith("64:ff9b:"));
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

    /** NAT64, 6to4, Teredo, IPv4-mapped, -compatible and -translated, around a public address only where the block is not public. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "64:ff9b::a00:1", "64:ff9b:1::a00:1", "64:ff9b:1:808:8:800::", "2002:a00:1::", "2002:101:101::1",
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

    /** Permitted ranges, an address in a NAT64 prefix, and whether a tunnel to it is allowed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The well-known prefix spells public addresses.
                "                            | 64:ff9b::8.8.8.8          | true",
                "                            | 64:ff9b::10.0.0.1         | false",
                "                            | 64:ff9b::127.0.0.1        | false",
                "                            | 64:ff9b::169.254.169.254  | false",
                "                            | 64:ff9b::168.63.129.16    | false",
                "                            | 64:ff9b::0.0.0.0          | false",
                "                            | 64:ff9b::224.0.0.1        | false",
                // As the docs once advised.
                "64:ff9b::/96                | 64:ff9b::8.8.8.8          | true",
                "64:ff9b::/96                | 64:ff9b::10.0.0.1         | false",
                "64:ff9b::/96                | 64:ff9b::192.168.1.1      | false",
                "64:ff9b::/96                | 64:ff9b::169.254.169.254  | false",
                "64:ff9b::/96 10.0.0.0/8     | 64:ff9b::10.0.0.1         | true",
                "64:ff9b::/96 10.0.0.0/8     | 64:ff9b::192.168.1.1      | false",
                "64:ff9b::a00:0/104          | 64:ff9b::10.0.0.1         | false",
                "::/0                        | 64:ff9b::10.0.0.1         | false",
                "::/0 0.0.0.0/0              | 64:ff9b::10.0.0.1         | true",
                "10.0.0.0/8                  | 64:ff9b::10.0.0.1         | false",
                // The block for local use.
                "                            | 64:ff9b:1:808:8:800::     | false",
                "64:ff9b:1::/48              | 64:ff9b:1:808:8:800::     | true",
                "64:ff9b:1::/48              | 64:ff9b:1:a00:0:100::     | false",
                "64:ff9b:1::/48              | 64:ff9b:1:808:8:800::1    | false",
                "64:ff9b:1::/48              | 64:ff9b:1:808:8:800:a00:1 | false",
                "64:ff9b:1::/48              | 64:ff9b:1::10.0.0.1       | false",
                "64:ff9b:1::/48 10.0.0.0/8   | 64:ff9b:1:a00:0:100::     | true",
                // A prefix of the network itself.
                "                            | 2001:67c:2b0:db32::8.8.8.8   | true",
                "                            | 2001:67c:2b0:db32::10.0.0.1  | false",
                "10.0.0.0/8                  | 2001:67c:2b0:db32::10.0.0.1  | true",
                "                            | 2001:67c:2b0:db33::10.0.0.1  | true",
            })
    void anAddressInANat64PrefixNeedsBoth(String allowPrivate, String address, boolean expected) {
        CidrSet allowed = CidrSet.of(allowPrivate == null ? List.of() : List.of(allowPrivate.split(" ")));
        assertThat(allowed(allowed, address(address))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9.9.9.9", "64:ff9b::9.9.9.9", "64:ff9b:1:909:9:900::", "2001:67c:2b0:db32::9.9.9.9"})
    void forbidsItsOwnAddressInEverySpelling(String address) {
        CidrSet everything = CidrSet.of(List.of("0.0.0.0/0", "::/0"));
        assertThat(POLICY.addressAllowed(everything, new InetSocketAddress(address(address), 443)))
                .isFalse();
        assertThat(POLICY.addressAllowed(everything, new InetSocketAddress(address(address), 444)))
                .isTrue();
    }

    @Test
    void readsNoTranslationWithoutPrefixes() {
        DestinationPolicy none = new DestinationPolicy(Nat64Prefixes.of(List.of()), own -> false);
        InetSocketAddress translated = new InetSocketAddress(address("64:ff9b::8.8.8.8"), 443);
        assertThat(none.addressAllowed(CLOSED, translated)).isFalse();
        assertThat(none.addressAllowed(CidrSet.of(List.of("64:ff9b::/96")), translated))
                .isTrue();
    }

    private static boolean allowed(CidrSet allowPrivate, InetAddress address) {
        return POLICY.addressAllowed(allowPrivate, new InetSocketAddress(address, 443));
    }

    /** Returns the address of a literal, also of one that ends in four decimal numbers. */
    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(literal, e);
        }
    }

    private static byte[] base(String range) {
        return NetUtil.createByteArrayFromIpAddressString(range.substring(0, range.indexOf('/')));
    }

    private static int prefix(String range) {
        return Integer.parseInt(range.substring(range.indexOf('/') + 1));
    }
}
