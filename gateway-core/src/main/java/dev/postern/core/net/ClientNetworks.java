package dev.postern.core.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Networks of clients: the one definition of which addresses are one client, and which are one network. An IPv6 address that a translator
 * or a transition mechanism made of an IPv4 address counts as this address: otherwise all of IPv4 would be one client behind a translator,
 * and one IPv4 host would be 65,536 clients with 6to4 (docs/adr/0051). Immutable.
 *
 * @param translators prefixes of NAT64 translators, whose clients have the IPv4 address inside theirs
 */
public record ClientNetworks(Nat64Prefixes translators) {

    /** Networks where only the well-known prefix is that of a translator (RFC 6052 section 2.1). */
    public static final ClientNetworks WELL_KNOWN = new ClientNetworks(Nat64Prefixes.of(List.of("64:ff9b::/96")));

    /** Position of the client's IPv4 address in a 6to4 address (RFC 3056 section 2). */
    private static final int SIX_TO_FOUR_IPV4 = 2;

    /** Position of the client's inverted IPv4 address in a Teredo address (RFC 4380 section 4); before it is that of its server. */
    private static final int TEREDO_IPV4 = 12;

    private static final int TRANSLATED_IPV4 = 12;

    /** The first bytes of an IPv4-translated address, {@code ::ffff:0:0:0/96} (RFC 2765 section 2.1). */
    private static final byte[] TRANSLATED = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0};

    private static final byte[] SIX_TO_FOUR = {0x20, 0x02};
    private static final byte[] TEREDO = {0x20, 0x01, 0, 0};

    /** Returns the prefix that counts as one client: all of IPv4, 64 bits of IPv6, since a client with one address of a /64 can use all of it. */
    public AddressPrefix client(InetAddress address) {
        return AddressPrefix.ofClient(inside(address));
    }

    /** Returns the prefix that a household or egress keeps when its address changes: 24 bits of IPv4, 56 bits of IPv6. */
    public AddressPrefix network(InetAddress address) {
        return AddressPrefix.ofNetwork(inside(address));
    }

    /**
     * Returns the prefix that logs may have: 24 bits of IPv4, 48 bits of IPv6. 48 bits of a 6to4 address would be all bits of the IPv4 address.
     */
    public AddressPrefix logged(InetAddress address) {
        return AddressPrefix.of(inside(address), 24, 48);
    }

    /** Returns the IPv4 address of which the address was made, else the address. */
    private InetAddress inside(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        @Nullable InetAddress embedded = translators.embedded(address);
        return embedded == null ? ofTransition(address) : embedded;
    }

    private static InetAddress ofTransition(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (begins(bytes, SIX_TO_FOUR)) {
            return ipv4(bytes, SIX_TO_FOUR_IPV4, 0);
        }
        if (begins(bytes, TEREDO)) {
            return ipv4(bytes, TEREDO_IPV4, -1);
        }
        return begins(bytes, TRANSLATED) ? ipv4(bytes, TRANSLATED_IPV4, 0) : address;
    }

    private static boolean begins(byte[] bytes, byte[] prefix) {
        return Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static InetAddress ipv4(byte[] bytes, int at, int inverted) {
        byte[] inside = Arrays.copyOfRange(bytes, at, at + Integer.BYTES);
        for (int i = 0; i < inside.length; i++) {
            inside[i] ^= (byte) inverted;
        }
        return Nat64Prefixes.address(inside);
    }
}
