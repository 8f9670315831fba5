package dev.postern.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Nat64PrefixesTest {

    /** Returns the address of a literal, also of one that ends in four decimal numbers. */
    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(literal, e);
        }
    }

    /** The examples of RFC 6052 section 2.4, and addresses inside no prefix. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8::/32, 2001:db8:c000:221::, 192.0.2.33",
        "2001:db8:100::/40, 2001:db8:1c0:2:21::, 192.0.2.33",
        "2001:db8:122::/48, 2001:db8:122:c000:2:2100::, 192.0.2.33",
        "2001:db8:122:300::/56, 2001:db8:122:3c0:0:221::, 192.0.2.33",
        "2001:db8:122:344::/64, 2001:db8:122:344:c0:2:2100::, 192.0.2.33",
        "2001:db8:122:344::/96, 2001:db8:122:344::192.0.2.33, 192.0.2.33",
        "64:ff9b::/96, 64:ff9b::192.0.2.33, 192.0.2.33",
        "64:ff9b::/96, 64:ff9b::, 0.0.0.0",
        "64:ff9b::/96, 64:ff9b::ffff:ffff, 255.255.255.255",
        "64:ff9b::/96, 64:ff9b::1:c000:221, ",
        "64:ff9b::/96, 64:ff9b:1::c000:221, ",
        "64:ff9b::/96, 192.0.2.33, ",
        "::/96, ::10.0.0.1, 10.0.0.1",
    })
    void readsTheEmbeddedAddressAtThePlaceOfTheLength(String prefix, String address, String expected) {
        Nat64Prefixes prefixes = Nat64Prefixes.of(List.of(prefix));
        assertThat(prefixes.contains(address(address))).isEqualTo(expected != null);
        assertThat(prefixes.embedded(address(address))).isEqualTo(expected == null ? null : address(expected));
    }

    /** Bits that a translator sets to 0, behind the address or in the reserved byte. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8::/32, 2001:db8:c000:221::1",
        "2001:db8::/32, 2001:db8:c000:221:100::",
        "2001:db8:100::/40, 2001:db8:1c0:2:21::1:0",
        "2001:db8:122::/48, 2001:db8:122:c000:102:2100::",
        "2001:db8:122:344::/64, 2001:db8:122:344:c0:2:2101::",
        "64:ff9b:1::/48, 64:ff9b:1:abcd::a00:1",
    })
    void readsNoAddressBetweenOtherBits(String prefix, String address) {
        Nat64Prefixes prefixes = Nat64Prefixes.of(List.of(prefix));
        assertThat(prefixes.contains(address(address))).isTrue();
        assertThat(prefixes.embedded(address(address))).isNull();
    }

    @Test
    void theLongestPrefixApplies() {
        Nat64Prefixes prefixes = Nat64Prefixes.of(List.of("64:ff9b:1::/48", "64:ff9b:1:fffe::/96"));
        assertThat(prefixes.embedded(address("64:ff9b:1:fffe::10.0.0.1"))).isEqualTo(address("10.0.0.1"));
        assertThat(prefixes.embedded(address("64:ff9b:1:a00:0:100::"))).isEqualTo(address("10.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "64:ff9b::",
                "64:ff9b::/95",
                "64:ff9b::/97",
                "64:ff9b::/128",
                "64:ff9b::/0",
                "64:ff9b::/24",
                "64:ff9b::/",
                "64:ff9b::/ 96",
                "64:ff9b::/+96",
                "64:ff9b::/096",
                "64:ff9b::1/96",
                "64:ff9b:1:1::/48",
                "2001:db8:0:0:100::/96",
                "10.0.0.0/8",
                "10.0.0.0/32",
                "::ffff:0:0:0/96",
                "::ffff:0:0/96",
                "x/96",
                "/96",
                "",
                "64:ff9b::/96/96"
            })
    void refusesOtherLengthsAndBits(String text) {
        assertThat(Nat64Prefixes.isPrefix(text)).isFalse();
        assertThatThrownBy(() -> Nat64Prefixes.of(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(text + " (expected: " + Nat64Prefixes.EXPECTED + ")");
    }
}
