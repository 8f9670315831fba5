package dev.postern.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the prefixes by which addresses are counted, bound and logged. */
class AddressPrefixTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "255.255.255.255, 0.0.0.1, false",
        "2001:db8::1, 2001:db8::ffff:ffff:ffff:ffff, true",
        "2001:db8::1, 2001:db8:0:1::1, false",
        "2001:db8::1, 2001:db9::1, false",
        "::1, ::2, true",
        "::1, 0.0.0.0, false",
        "::ffff:192.0.2.1, 192.0.2.1, true",
        "::ffff:192.0.2.1, ::ffff:192.0.2.2, false",
        "::fffe:c000:201, 192.0.2.1, false",
        "::c000:201, 192.0.2.1, false",
        "64:ff9b::c000:201, 192.0.2.1, false",
    })
    void oneClientHasAllOfIpv4Or64BitsOfIpv6(String one, String other, boolean alike) throws UnknownHostException {
        assertThat(AddressPrefix.ofClient(address(one)).equals(AddressPrefix.ofClient(address(other))))
                .isEqualTo(alike);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.255, true",
        "192.0.2.1, 192.0.3.1, false",
        "2001:db8:0:1ff::1, 2001:db8:0:100::2, true",
        "2001:db8:0:1ff::1, 2001:db8:0:200::1, false",
        "::ffff:192.0.2.9, 192.0.2.1, true",
        "::ffff:192.0.2.9, ::ffff:192.0.3.9, false",
        "::1, 0.0.0.1, false",
    })
    void oneNetworkHas24BitsOfIpv4Or56BitsOfIpv6(String one, String other, boolean alike) throws UnknownHostException {
        AddressPrefix first = AddressPrefix.ofNetwork(address(one));
        AddressPrefix second = AddressPrefix.ofNetwork(address(other));

        assertThat(first.equals(second)).isEqualTo(alike);
        assertThat(first.number() == second.number()).isEqualTo(alike);
    }

    /** The numbers are part of challenges, the bytes of cookies and of keys in stores: other replicas read them. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.77, 32, 56, c000024d, 192.0.2.77/32, 4c000024d",
        "192.0.2.77, 24, 56, c00002, 192.0.2.0/24, 3c00002",
        "255.255.255.255, 24, 56, ffffff, 255.255.255.0/24, 3ffffff",
        "::ffff:192.0.2.77, 24, 56, c00002, 192.0.2.0/24, 3c00002",
        "2001:db8:1:2ff::9, 24, 56, 20010db8000102, 2001:db8:1:200:0:0:0:0/56, 720010db8000102",
        "2001:db8:1:2ff::9, 24, 48, 20010db80001, 2001:db8:1:0:0:0:0:0/48, 620010db80001",
        "ffff:ffff:ffff:ffff::, 24, 56, ffffffffffffff, ffff:ffff:ffff:ff00:0:0:0:0/56, 7ffffffffffffff",
    })
    void hasOneFormForStoresAndOneForLogs(
            String address, int ipv4Length, int ipv6Length, String bytes, String text, String number)
            throws UnknownHostException {
        AddressPrefix prefix = AddressPrefix.of(address(address), ipv4Length, ipv6Length);

        assertThat(HexFormat.of().formatHex(prefix.bytes())).isEqualTo(bytes);
        assertThat(prefix).hasToString(text);
        assertThat(Long.toHexString(prefix.number())).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.1, c0000201", "2001:db8:1:2ff::9, 20010db8000102ff", "::ffff:192.0.2.1, c0000201"})
    void bytesOfAClientAreItsWholePrefix(String address, String bytes) throws UnknownHostException {
        assertThat(HexFormat.of()
                        .formatHex(AddressPrefix.ofClient(address(address)).bytes()))
                .isEqualTo(bytes);
    }

    /** Returns the address as the kernel reports it: the JDK's parser would turn an IPv4-mapped address into IPv4. */
    private static InetAddress address(String text) throws UnknownHostException {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        return bytes.length == 4 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, -1);
    }
}
