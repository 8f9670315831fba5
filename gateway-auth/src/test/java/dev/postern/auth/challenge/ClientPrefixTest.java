package dev.postern.auth.challenge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ClientPrefixTest {

    @Test
    void keepsThreeBytesOfIpv4AndSevenOfIpv6() throws UnknownHostException {
        assertThat(ClientPrefix.of(InetAddress.getByName("192.0.2.77"))).containsExactly(192, 0, 2);
        assertThat(ClientPrefix.of(InetAddress.getByName("2001:db8:1:2ff::9")))
                .containsExactly(0x20, 0x01, 0x0d, 0xb8, 0, 1, 2);
    }

    @Test
    void distinguishesFamiliesInItsNumber() throws UnknownHostException {
        assertThat(ClientPrefix.number(InetAddress.getByName("192.0.2.77"))).isEqualTo(0x3_c0_00_02L);
        assertThat(ClientPrefix.number(InetAddress.getByName("2001:db8:1:2ff::9")))
                .isEqualTo(0x7_20_01_0d_b8_00_01_02L);
    }
}
