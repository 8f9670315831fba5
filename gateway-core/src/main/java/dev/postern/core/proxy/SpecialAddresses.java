package dev.postern.core.proxy;

import dev.postern.core.net.CidrSet;
import java.net.InetAddress;
import java.util.List;

/**
 * Special address blocks, not on the public internet: every entry of the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890,
 * RFC 8190) that is not globally reachable, as of 2025-10; other blocks without public servers are in a list of their own.
 *
 * <p>A block is excluded as a whole. The globally reachable assignments inside 192.0.0.0/24 and 2001::/23 (PCP, TURN, DNS-SD, AMT and AS112
 * anycast, ORCHIDv2, drone identifiers) are no exceptions: the nearest instance of an anycast service is in the gateway's own network, and
 * none of them is a web server.
 */
final class SpecialAddresses {

    /**
     * Block of a registry.
     *
     * @param range in CIDR notation
     * @param name as in the registry
     * @param source the RFC and, where it has one, its section
     * @param date of the allocation, as in the registry; of the RFC where there is no registry
     */
    record Block(String range, String name, String source, String date) {}

    /** IANA IPv4 Special-Purpose Address Registry. */
    static final List<Block> IPV4 = List.of(
            new Block("0.0.0.0/8", "\"This network\"", "RFC 791, 3.2", "1981-09"),
            new Block("0.0.0.0/32", "\"This host on this network\"", "RFC 1122, 3.2.1.3", "1981-09"),
            new Block("10.0.0.0/8", "Private-Use", "RFC 1918", "1996-02"),
            new Block("100.64.0.0/10", "Shared Address Space", "RFC 6598", "2012-04"),
            new Block("127.0.0.0/8", "Loopback", "RFC 1122, 3.2.1.3", "1981-09"),
            new Block("169.254.0.0/16", "Link Local", "RFC 3927", "2005-05"),
            new Block("172.16.0.0/12", "Private-Use", "RFC 1918", "1996-02"),
            new Block("192.0.0.0/24", "IETF Protocol Assignments", "RFC 6890, 2.1", "2010-01"),
            new Block("192.0.0.0/29", "IPv4 Service Continuity Prefix", "RFC 7335", "2011-06"),
            new Block("192.0.0.8/32", "IPv4 dummy address", "RFC 7600", "2015-03"),
            new Block("192.0.0.170/32", "NAT64/DNS64 Discovery", "RFC 8880, RFC 7050, 2.2", "2013-02"),
            new Block("192.0.0.171/32", "NAT64/DNS64 Discovery", "RFC 8880, RFC 7050, 2.2", "2013-02"),
            new Block("192.0.2.0/24", "Documentation (TEST-NET-1)", "RFC 5737", "2010-01"),
            new Block("192.88.99.0/24", "Deprecated (6to4 Relay Anycast)", "RFC 7526", "2001-06"),
            new Block("192.88.99.2/32", "6a44-relay anycast address", "RFC 6751", "2012-10"),
            new Block("192.168.0.0/16", "Private-Use", "RFC 1918", "1996-02"),
            new Block("198.18.0.0/15", "Benchmarking", "RFC 2544", "1999-03"),
            new Block("198.51.100.0/24", "Documentation (TEST-NET-2)", "RFC 5737", "2010-01"),
            new Block("203.0.113.0/24", "Documentation (TEST-NET-3)", "RFC 5737", "2010-01"),
            new Block("240.0.0.0/4", "Reserved", "RFC 1112, 4", "1989-08"),
            new Block("255.255.255.255/32", "Limited Broadcast", "RFC 8190, RFC 919, 7", "1984-10"));

    /** The block of {@link #IPV6} whose addresses stand for public IPv4 addresses only (RFC 6052 section 3.1). */
    static final String PUBLIC_NAT64 = "64:ff9b::/96";

    /**
     * IANA IPv6 Special-Purpose Address Registry. Blocks that embed an IPv4 address (NAT64, 6to4, Teredo) count as not globally reachable:
     * the embedded address may be any.
     */
    static final List<Block> IPV6 = List.of(
            new Block("::1/128", "Loopback Address", "RFC 4291", "2006-02"),
            new Block("::/128", "Unspecified Address", "RFC 4291", "2006-02"),
            new Block(PUBLIC_NAT64, "IPv4-IPv6 Translat.", "RFC 6052", "2010-10"),
            new Block("64:ff9b:1::/48", "IPv4-IPv6 Translat.", "RFC 8215", "2017-06"),
            new Block("100::/64", "Discard-Only Address Block", "RFC 6666", "2012-06"),
            new Block("100:0:0:1::/64", "Dummy IPv6 Prefix", "RFC 9780", "2025-04"),
            new Block("2001::/23", "IETF Protocol Assignments", "RFC 2928", "2000-09"),
            new Block("2001::/32", "TEREDO", "RFC 4380, RFC 8190", "2006-01"),
            new Block("2001:2::/48", "Benchmarking", "RFC 5180, RFC Errata 1752", "2008-04"),
            new Block("2001:10::/28", "Deprecated (previously ORCHID)", "RFC 4843", "2007-03"),
            new Block("2001:db8::/32", "Documentation", "RFC 3849", "2004-07"),
            new Block("2002::/16", "6to4", "RFC 3056", "2001-02"),
            new Block("3fff::/20", "Documentation", "RFC 9637", "2024-07"),
            new Block("5f00::/16", "Segment Routing (SRv6) SIDs", "RFC 9602", "2024-04"),
            new Block("fc00::/7", "Unique-Local", "RFC 4193, RFC 8190", "2005-10"),
            new Block("fe80::/10", "Link-Local Unicast", "RFC 4291", "2006-02"));

    /** Blocks in neither registry. The registered ::ffff:0:0/96 is read as the embedded IPv4 address. */
    static final List<Block> OTHERS = List.of(
            new Block("224.0.0.0/4", "IPv4 multicast", "RFC 1112, 4", "1989-08"),
            new Block("ff00::/8", "IPv6 multicast", "RFC 4291, 2.7", "2006-02"),
            new Block("::/96", "IPv4-compatible, deprecated", "RFC 4291, 2.5.5.1", "2006-02"),
            new Block("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765, 2.1", "2000-02"),
            new Block("fec0::/10", "Site-local, deprecated", "RFC 3879", "2004-09"),
            new Block("168.63.129.16/32", "Platform address of Azure", "none: its documentation", "2025-10"));

    private static final CidrSet ALL = CidrSet.of(List.of(IPV4, IPV6, OTHERS).stream()
            .flatMap(List::stream)
            .map(Block::range)
            .toList());

    private SpecialAddresses() {}

    static boolean contains(InetAddress address) {
        return ALL.contains(address);
    }
}
