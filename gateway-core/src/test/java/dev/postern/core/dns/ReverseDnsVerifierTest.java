package dev.postern.core.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReverseDnsVerifierTest {

    /** An IPv4-mapped address has its names below in-addr.arpa, as the IPv4 address has. */
    @ParameterizedTest
    @CsvSource({
        "::ffff:192.0.2.1, 1.2.0.192.in-addr.arpa.",
        "2001:db8::1, 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.",
    })
    void looksUpTheAddressOfTheClient(String address, String name) throws UnknownHostException {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);

        assertThat(ReverseDnsVerifier.pointer(Inet6Address.getByAddress(null, bytes, -1)))
                .isEqualTo(name);
    }
}
