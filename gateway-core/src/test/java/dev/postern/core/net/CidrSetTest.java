package dev.postern.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

    /** Ranges may be in any order, contain each other, repeat, and have bits behind their prefix. */
    @Test
    void rangesMayOverlap() throws UnknownHostException {
        CidrSet set = CidrSet.of(List.of(
                "10.1.0.0/16",
                "10.0.0.0/8",
                "10.1.2.3",
                "10.1.2.3",
                "192.0.2.77/24",
                "9.0.0.0/8",
                "2001:db8::/32",
                "::/16"));
        for (String inside : List.of(
                "10.0.0.0",
                "10.255.255.255",
                "10.1.2.4",
                "192.0.2.0",
                "192.0.2.255",
                "9.1.1.1",
                "2001:db8:ffff::1",
                "::1")) {
            assertThat(set.contains(InetAddress.getByName(inside))).as(inside).isTrue();
        }
        for (String outside :
                List.of("11.0.0.0", "8.255.255.255", "192.0.1.255", "192.0.3.0", "2001:db9::", "255.255.255.255")) {
            assertThat(set.contains(InetAddress.getByName(outside))).as(outside).isFalse();
        }
        assertThat(set)
                .isEqualTo(CidrSet.of(List.of("::/16", "2001:db8::/32", "9.0.0.0/8", "10.0.0.0/8", "192.0.2.0/24")))
                .isNotEqualTo(CidrSet.of(List.of("::/16", "2001:db8::/32", "9.0.0.0/8", "10.0.0.0/8", "192.0.2.0/25")));
    }

    /** Compares the set with a search through all ranges. */
    @Test
    void containsWhatOneOfItsRangesContains() throws UnknownHostException {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<String> texts = new ArrayList<>();
            List<CidrSet> alone = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                boolean ipv6 = random.nextBoolean();
                String text = address(random, ipv6).getHostAddress() + "/" + random.nextInt(ipv6 ? 129 : 33);
                texts.add(text);
                alone.add(CidrSet.of(List.of(text)));
            }
            CidrSet all = CidrSet.of(texts);
            for (int i = 0; i < 50; i++) {
                InetAddress address = address(random, random.nextBoolean());
                assertThat(all.contains(address))
                        .as("%s in %s", address, texts)
                        .isEqualTo(alone.stream().anyMatch(one -> one.contains(address)));
            }
        }
    }

    /** Returns an address with few different bytes, so that ranges meet. */
    private static InetAddress address(Random random, boolean ipv6) throws UnknownHostException {
        byte[] bytes = new byte[ipv6 ? 16 : 4];
        bytes[0] = (byte) (ipv6 ? 0x20 : 10);
        for (int i = 1; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(4) * 85);
        }
        return InetAddress.getByAddress(bytes);
    }

    @Test
    void anEmptySetContainsNothing() throws UnknownHostException {
        assertThat(CidrSet.NONE.contains(InetAddress.getByName("127.0.0.1"))).isFalse();
    }
}
