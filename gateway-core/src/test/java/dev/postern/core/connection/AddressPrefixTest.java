package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    })
    void prefixesOfTwoAddressesAreEqualOrNot(String one, String other, boolean alike) throws UnknownHostException {
        assertThat(AddressPrefix.of(address(one)).equals(AddressPrefix.of(address(other))))
                .isEqualTo(alike);
    }

    /** Returns the address as the kernel reports it: the JDK's parser would turn an IPv4-mapped address into IPv4. */
    private static InetAddress address(String text) throws UnknownHostException {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        return bytes.length == 4 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, -1);
    }
}
