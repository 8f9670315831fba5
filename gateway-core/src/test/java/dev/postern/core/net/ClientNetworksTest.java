package dev.postern.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which addresses are one client: those that a translator or a transition mechanism made of one IPv4 address. */
class ClientNetworksTest {

    private final ClientNetworks networks = new ClientNetworks(
            Nat64Prefixes.of(List.of("64:ff9b::/96", "64:ff9b:1::/48", "2001:db8:64::/96", "2001:db8:100::/40")));

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(literal, e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1/32, 192.0.2.0/24",
        "::ffff:192.0.2.1, 192.0.2.1/32, 192.0.2.0/24",
        "2001:db8:7:8::9, 2001:db8:7:8:0:0:0:0/64, 2001:db8:7:0:0:0:0:0/56",
        "64:ff9b::192.0.2.1, 192.0.2.1/32, 192.0.2.0/24", // the well-known prefix
        "64:ff9b:1:c000:2:100::, 192.0.2.1/32, 192.0.2.0/24", // for local use, with 48 bits
        "2001:db8:64::192.0.2.1, 192.0.2.1/32, 192.0.2.0/24", // of this network
        "2001:db8:1c0:2:1::, 192.0.2.1/32, 192.0.2.0/24", // with 40 bits
        "2001:db8:1c0:2:1::1, 2001:db8:1c0:2:0:0:0:0/64, 2001:db8:1c0:0:0:0:0:0/56", // no translator made this
        "2002:c000:201::1, 192.0.2.1/32, 192.0.2.0/24", // 6to4
        "2002:c000:201:ffff::1, 192.0.2.1/32, 192.0.2.0/24", // all of its 65,536 subnets
        "2001::5ef5:79fd:3fff:fdfe, 192.0.2.1/32, 192.0.2.0/24", // Teredo
        "2001:0:4136:e378:8000:63bf:3fff:fdd2, 192.0.2.45/32, 192.0.2.0/24", // the example of RFC 4380 section 2.6
        "2001:1::5ef5:79fd:3fff:fdfe, 2001:1:0:0:0:0:0:0/64, 2001:1:0:0:0:0:0:0/56", // not Teredo
        "::ffff:0:192.0.2.1, 192.0.2.1/32, 192.0.2.0/24", // IPv4-translated
        "::1, 0:0:0:0:0:0:0:0/64, 0:0:0:0:0:0:0:0/56",
    })
    void countsAddressesByTheAddressInside(String address, String client, String network) {
        assertThat(networks.client(address(address))).hasToString(client);
        assertThat(networks.network(address(address))).hasToString(network);
    }

    /** 48 bits of a 6to4 address have all bits of the IPv4 address. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.0/24",
        "2001:db8:7:8::9, 2001:db8:7:0:0:0:0:0/48",
        "2002:c000:201::1, 192.0.2.0/24",
        "2001::5ef5:79fd:3fff:fdfe, 192.0.2.0/24",
        "64:ff9b:1:c000:2:100::, 192.0.2.0/24",
        "2001:db8:1c0:2:1::, 192.0.2.0/24", // 8 bits of the address within 48 bits
        "::ffff:0:192.0.2.1, 192.0.2.0/24",
    })
    void logsHaveNoFullAddress(String address, String logged) {
        assertThat(networks.logged(address(address))).hasToString(logged);
    }

    @Test
    void clientsOfOneTranslatorAreNotOne() {
        assertThat(networks.client(address("64:ff9b::192.0.2.1")))
                .isNotEqualTo(networks.client(address("64:ff9b::192.0.2.2")))
                .isEqualTo(networks.client(address("192.0.2.1")));
    }

    @Test
    void aPrefixThatIsNotNamedIsNotATranslators() {
        assertThat(ClientNetworks.WELL_KNOWN.client(address("2001:db8:64::192.0.2.1")))
                .isEqualTo(ClientNetworks.WELL_KNOWN.client(address("2001:db8:64::192.0.2.2")));
        assertThat(ClientNetworks.WELL_KNOWN.client(address("64:ff9b::192.0.2.1")))
                .isNotEqualTo(ClientNetworks.WELL_KNOWN.client(address("64:ff9b::192.0.2.2")));
    }

    @Test
    void equalPrefixesAreEqual() {
        assertThat(new ClientNetworks(Nat64Prefixes.of(List.of("64:ff9b::/96"))))
                .isEqualTo(ClientNetworks.WELL_KNOWN)
                .hasSameHashCodeAs(ClientNetworks.WELL_KNOWN)
                .isNotEqualTo(networks);
    }
}
