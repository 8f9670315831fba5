package dev.postern.core.route;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.InputLines;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import dev.postern.core.net.CidrSet;
import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the address of the client. Only trusted proxies are believed, whatever untrusted peers wrote before; and the next gateway, which
 * trusts this one, finds the same client. An input is lines: comma-separated ranges, the address of the peer, then values of X-Forwarded-For.
 */
public final class TrustFuzz {

    private static final InetAddress OURS = TestExchanges.address("2001:db8:5afe::1");
    private static final int FEW_HOPS = 28;

    private TrustFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a client other than the peer was found. */
    public static boolean accepts(byte[] input) {
        List<String> lines = InputLines.of(input, 3);
        byte[] peerBytes = NetUtil.createByteArrayFromIpAddressString(lines.get(1));
        List<String> ranges = List.of(lines.get(0).split(",", 20));
        CidrSet trusted = cidrs(ranges);
        if (peerBytes == null || trusted == null) {
            return false;
        }
        InetAddress peer = TestExchanges.address(lines.get(1));
        FuzzCheck.equal(
                trusted.contains(peer),
                ranges.stream().anyMatch(range -> inside(range, peer)),
                "the addresses of a range");
        RequestHead head = head(lines.get(2), "");
        if (head == null) {
            return false;
        }
        ClientConnection from = TestExchanges.client(peer, trusted);
        InetAddress client = ForwardedFields.client(from, head).address();
        if (!trusted.contains(peer)) {
            FuzzCheck.equal(client, peer, "the peer itself");
        }
        checkSpoofed(from, lines.get(2), client);
        checkForwarded(from, head, ranges, client);
        return !client.equals(peer);
    }

    private static @Nullable CidrSet cidrs(List<String> ranges) {
        try {
            return CidrSet.of(ranges);
        } catch (IllegalArgumentException e) {
            FuzzCheck.hold(
                    String.valueOf(e.getMessage()).contains("(expected: "), "a reason that says what is expected");
            return null;
        }
    }

    /** Checks that addresses that a client writes before those of the first trusted proxy change nothing. */
    private static void checkSpoofed(ClientConnection from, String chain, InetAddress client) {
        CidrSet trusted = from.listener().trustedProxies();
        RequestHead spoofed = head(chain, "203.0.113.66, ");
        if (spoofed != null && !trusted.contains(client)) {
            FuzzCheck.equal(
                    ForwardedFields.client(from, spoofed).address(), client, "the same client despite a spoofed field");
        }
    }

    private static void checkForwarded(
            ClientConnection from, RequestHead head, List<String> ranges, InetAddress client) {
        String previous = head.joined(FieldName.X_FORWARDED_FOR);
        ForwardedFields.reverse(from, head, new Via("postern"));
        String chain = String.valueOf(head.joined(FieldName.X_FORWARDED_FOR));
        FuzzCheck.equal(head.occurrences(FieldName.X_FORWARDED_FOR), 1, "one field for the chain");
        FuzzCheck.hold(chain.endsWith(NetUtil.toAddressString(from.peer())), "the peer at its end");
        FuzzCheck.equal(head.occurrences(FieldName.X_FORWARDED_PROTO), 1, "one scheme");
        boolean few = previous == null || previous.split(",", -1).length < FEW_HOPS;
        if (few && !from.listener().trustedProxies().contains(OURS)) {
            CidrSet next = CidrSet.of(java.util.stream.Stream.concat(
                            ranges.stream(), java.util.stream.Stream.of(NetUtil.toAddressString(OURS)))
                    .toList());
            FuzzCheck.equal(
                    ForwardedFields.client(TestExchanges.client(OURS, next), head)
                            .address(),
                    client,
                    "the client that the next gateway finds");
        }
    }

    /** Returns a head with one field for each value, the first one after {@code prefix}. */
    private static @Nullable RequestHead head(String values, String prefix) {
        StringBuilder text = new StringBuilder("GET / HTTP/1.1\r\nHost: h\r\n");
        String separator = prefix;
        for (String value : values.split("\n", 10)) {
            text.append("X-Forwarded-For: ").append(separator).append(value).append("\r\n");
            separator = "";
        }
        return HeadBytes.read(text.append("\r\n").toString());
    }

    /** Compares addresses by integer arithmetic. */
    private static boolean inside(String range, InetAddress address) {
        String[] addressAndPrefix = range.split("/", 2);
        byte[] base = plain(NetUtil.createByteArrayFromIpAddressString(addressAndPrefix[0]));
        byte[] bytes = plain(address.getAddress());
        if (base.length != bytes.length) {
            return false;
        }
        int bits = NetUtil.createByteArrayFromIpAddressString(addressAndPrefix[0]).length * 8;
        int prefix = addressAndPrefix.length < 2 ? bits : Integer.parseInt(addressAndPrefix[1]);
        int shift = Math.max(0, Math.min(base.length * 8, bits - prefix));
        return new BigInteger(1, base).shiftRight(shift).equals(new BigInteger(1, bytes).shiftRight(shift));
    }

    /** Converts IPv4-mapped addresses to IPv4 (RFC 4291 section 2.5.5.2). */
    private static byte[] plain(byte[] bytes) {
        BigInteger number = new BigInteger(1, bytes);
        boolean mapped = bytes.length == 16 && number.shiftRight(32).equals(BigInteger.valueOf(0xffff));
        return mapped ? java.util.Arrays.copyOfRange(bytes, 12, 16) : bytes;
    }
}
