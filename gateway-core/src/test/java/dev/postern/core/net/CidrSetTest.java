package dev.postern.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CidrSetTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.2, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "172.16.0.0/12, 172.31.255.255, true",
        "172.16.0.0/12, 172.32.0.0, false",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "fe80::/10, febf::1, true",
        "fe80::/10, fec0::1, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "::/0, 10.1.2.3, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::ffff:10.0.0.0/104, 11.1.2.3, false",
        "::ffff:10.1.2.3, 10.1.2.3, true",
    })
    void containsAddressesInTheRange(String range, String address, boolean inside) throws UnknownHostException {
        assertThat(CidrSet.of(List.of(range)).contains(InetAddress.getByName(address)))
                .isEqualTo(inside);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/33", "10.0.0/8", "host", "10.0.0.0/x", "::/129", "::ffff:10.0.0.0/8"})
    void refusesInvalidRanges(String text) {
        assertThatThrownBy(() -> CidrSet.of(List.of(text)))
                .hasMessageContaining(text)
                .hasMessageContaining("expected");
    }

    @Test
    void anEmptySetContainsNothing() throws UnknownHostException {
        assertThat(CidrSet.NONE.contains(InetAddress.getByName("127.0.0.1"))).isFalse();
    }
}
